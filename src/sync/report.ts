import type { ErrorKind } from '../errors.ts';

/**
 * How a run ended. `complete`: every series is proven complete. `incomplete`: something could not be proven. `stopped`:
 * the quota is spent. `failed`: a series failed. The next run resumes in every case.
 */
export type SyncOutcome = 'complete' | 'incomplete' | 'stopped' | 'failed';

export interface RowCounts {
  readonly added: number;
  readonly revised: number;
  readonly vanished: number;
  readonly unchanged: number;
}

export interface SeriesReport {
  readonly name: string;
  readonly outcome: SyncOutcome;
  /** What they took from the quota, refused and repeated ones included. */
  readonly requests: number;
  readonly rows: RowCounts;
  /** What went wrong, for a person; undefined when nothing did. */
  readonly problem?: { readonly kind: ErrorKind; readonly message: string; readonly hint?: string };
  readonly notes: readonly string[];
}

export interface SyncReport {
  readonly outcome: SyncOutcome;
  readonly requests: number;
  readonly rows: RowCounts;
  readonly series: readonly SeriesReport[];
  /** Targets that were not tried any more. */
  readonly skipped: number;
  /** Kind of the error that decides the exit code; undefined when complete. */
  readonly kind?: ErrorKind;
  /** Seconds until the quota frees, when that is why the run stopped. */
  readonly retryAfter?: number;
}

export const noRows: RowCounts = { added: 0, revised: 0, vanished: 0, unchanged: 0 };

export function addRows(a: RowCounts, b: RowCounts): RowCounts {
  return {
    added: a.added + b.added,
    revised: a.revised + b.revised,
    vanished: a.vanished + b.vanished,
    unchanged: a.unchanged + b.unchanged,
  };
}

const WORST: readonly SyncOutcome[] = ['failed', 'stopped', 'incomplete'];

/** The worst outcome of some: failed, then stopped, then incomplete. */
export function worstOf(outcomes: readonly SyncOutcome[]): SyncOutcome {
  return WORST.find((worst) => outcomes.includes(worst)) ?? 'complete';
}

/** Two runs, one after the other, as one. */
export function joinReports(a: SyncReport, b: SyncReport): SyncReport {
  const outcome = worstOf([a.outcome, b.outcome]);
  const { kind, retryAfter } = a.outcome === outcome ? a : b;
  return {
    outcome,
    requests: a.requests + b.requests,
    rows: addRows(a.rows, b.rows),
    series: [...a.series, ...b.series],
    skipped: a.skipped + b.skipped,
    ...(kind !== undefined && { kind }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}
