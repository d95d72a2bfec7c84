export interface SyncLock {
  /** Throws `lock_lost` when it is known to be gone: a server holds it for a connection, which may break. */
  requireHeld(): void;
  release(): Promise<void>;
}

/** A run of a sync. Times are milliseconds. */
export interface SyncRun {
  readonly id: number;
  readonly started: number;
  /** Undefined while it runs, and when it died. */
  readonly ended: number | undefined;
  /** Who runs it, for people: process and machine. */
  readonly holder: string;
  /** What was asked for. */
  readonly words: string;
  readonly outcome: RunEnd['outcome'] | undefined;
  readonly requests: number;
  readonly rows: number;
  readonly problem: string | undefined;
  /** Words of the series that it tried and did not bring. */
  readonly failed: readonly string[];
}

export interface RunEnd {
  readonly ended: number;
  readonly outcome: 'complete' | 'incomplete' | 'stopped' | 'failed';
  readonly requests: number;
  /** Rows added and revised. */
  readonly rows: number;
  readonly problem?: string;
  readonly failed?: readonly string[];
}
