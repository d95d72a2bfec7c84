import type { Client } from '../client/client.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { Clock } from '../platform/platform.ts';
import type { PlanTime } from './plan/state.ts';
import type { SyncTarget } from './series/target.ts';

/** How far a series of a run has come. */
export interface SyncProgress {
  readonly name: string;
  /** Position of this series in the run, from 1. */
  readonly index: number;
  readonly of: number;
  readonly seen: number;
  readonly total: number | undefined;
  /** How much of the whole run is done, from 0 to 1; undefined while it is not planned. */
  readonly share: number | undefined;
  /** Of the whole run: what it sent, and rows that it committed. */
  readonly requests: number;
  readonly rows: number;
}

/** What a run brings up to date, and with what. */
export interface SyncOptions extends Omit<PlanTime, 'now'> {
  readonly client: Client;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly targets: readonly SyncTarget[];
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly signal?: AbortSignal;
}
