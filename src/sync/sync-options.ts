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
