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

export interface SeriesProblem {
  readonly kind: ErrorKind;
  /** The service's own word for it where there is one, such as `internal_error`; else `http_500`, or ours. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export interface SeriesReport {
  readonly name: string;
  readonly outcome: SyncOutcome;
  /** What they took from the quota, refused and repeated ones included. */
  readonly requests: number;
  readonly rows: RowCounts;
  /** What went wrong, for a person; undefined when nothing did. */
  readonly problem?: SeriesProblem;
  /** Nobody asked for it: it spares requests to others. */
  readonly isImplied?: true;
  readonly notes: readonly string[];
}

export interface RunProblem {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
  /** Seconds until the quota frees, when that is why the run stopped. */
  readonly retryAfter?: number;
}

export interface SyncReport {
  readonly outcome: SyncOutcome;
  readonly requests: number;
  readonly rows: RowCounts;
  readonly series: readonly SeriesReport[];
  /** Targets that were not tried any more. */
  readonly skipped: number;
  /** What ended the run before everything was tried. */
  readonly end?: RunProblem;
  /** Kind of the error that decides the exit code; undefined when complete. */
  readonly kind?: ErrorKind;
}

export const noRows: RowCounts = { added: 0, revised: 0, vanished: 0, unchanged: 0 };

export function addRowCounts(a: RowCounts, b: RowCounts): RowCounts {
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
