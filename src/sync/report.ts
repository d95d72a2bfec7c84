import { ITS_OWNER_CAN, MIRROR_INCOMPLETE } from '../contract/answer-members.ts';
import type { ErrorKind, MacroError } from '../errors.ts';
import type { RowCounts } from '../mirror/api/page-commit.ts';

/**
 * The outcome of a run or a series: `complete`, `incomplete` (something is missing), `stopped` (quota), or `failed`
 * (for a run: no requested series is complete). The next run resumes.
 */
export type SyncOutcome = 'complete' | 'incomplete' | 'stopped' | 'failed';

/** The result of the steps of a series. */
export interface SeriesCounts {
  /** Their requests, refused and repeated ones included. */
  requests: number;
  rows: RowCounts;
  notes: string[];
  /** The service gave partial answers, which do not complete the series. */
  isPartial: boolean;
  /** The service means another series now; the planned rows of the old one belong to it. */
  isReplaced: boolean;
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
  /** Their cost in requests, refused and repeated ones included. */
  readonly requests: number;
  readonly rows: RowCounts;
  /** The failure, for a person; undefined without one. */
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
  /** The failure that ended the run before everything was tried. */
  readonly end?: RunProblem;
  /** Kind of the error that decides the exit code; undefined when complete. */
  readonly kind?: ErrorKind;
}

export const noRows: RowCounts = { added: 0, revised: 0, vanished: 0, unchanged: 0 };

/** How one series fared in a run. */
interface SeriesEnd {
  readonly name: string;
  readonly work: { readonly counts: SeriesCounts };
  readonly error: MacroError | undefined;
  /** Steps of it are still to be made. */
  readonly isOpen: boolean;
  /** Nobody asked for it. */
  readonly isImplied: boolean;
}

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
function worstOf(outcomes: readonly SyncOutcome[]): SyncOutcome {
  return WORST.find((worst) => outcomes.includes(worst)) ?? 'complete';
}

export function reportSeries({ name, work: { counts }, error, isOpen, isImplied }: SeriesEnd): SeriesReport {
  const { requests, rows, notes } = counts;
  const problem = error ? problemOf(error) : counts.isPartial ? PARTIAL : undefined;
  const outcome = error ? outcomeOf(error) : isOpen || counts.isPartial ? 'incomplete' : 'complete';
  return {
    name,
    outcome,
    requests,
    rows,
    notes: [...new Set(notes)],
    ...(problem && { problem }),
    ...(isImplied && { isImplied: true as const }),
  };
}

/** The problem of a series whose service is a mirror with missing ranges. */
const PARTIAL: SeriesProblem = {
  kind: 'incomplete',
  code: MIRROR_INCOMPLETE,
  message: 'The service itself has only part of it, so nothing of it counts as complete.',
  hint: ITS_OWNER_CAN,
};

function problemOf({ kind, code, status, message, hint }: MacroError): SeriesProblem {
  const word = code ?? (status === undefined ? kind : `http_${status}`);
  return { kind, code: word, message, ...(hint !== undefined && { hint }) };
}

function outcomeOf({ kind }: MacroError): SyncOutcome {
  if (kind === 'quota') return 'stopped';
  return kind === 'incomplete' || kind === 'interrupted' ? 'incomplete' : 'failed';
}

/** A run as a whole. */
export function summarizeRun({ series, skipped, end }: Pick<SyncReport, 'series' | 'skipped' | 'end'>): SyncReport {
  const worst = end?.kind === 'upstream' ? 'failed' : worstOf(series.map((one) => one.outcome));
  const kind = kindOf(series, worst, end?.kind);
  const outcome = worst === 'failed' && kind === 'incomplete' ? 'incomplete' : worst;
  return {
    outcome,
    requests: series.reduce((sum, one) => sum + one.requests, 0),
    rows: series.reduce((sum, one) => addRowCounts(sum, one.rows), noRows),
    series,
    skipped,
    ...(end && { end }),
    ...(kind !== undefined && { kind }),
  };
}

/**
 * The kind that decides the exit code: a run's own end, incomplete if any series is complete, else the series' failure.
 * If the service as a whole failed, series that needed no request do not count as complete.
 */
function kindOf(series: readonly SeriesReport[], outcome: SyncOutcome, end: ErrorKind | undefined) {
  if (end !== undefined && end !== 'upstream') return end;
  if (outcome === 'complete') return undefined;
  const selected = series.filter(({ isImplied }) => isImplied !== true);
  if (selected.some((one) => one.outcome === 'complete' && (end === undefined || one.requests > 0)))
    return 'incomplete';
  if (end !== undefined || selected.some(({ problem }) => problem?.kind === 'upstream')) return 'upstream';
  return series.find((one) => one.outcome === outcome)?.problem?.kind;
}

/** Two runs, one after the other, as one. */
export function joinReports(a: SyncReport, b: SyncReport): SyncReport {
  const end = a.end ?? b.end;
  return summarizeRun({ series: [...a.series, ...b.series], skipped: a.skipped + b.skipped, ...(end && { end }) });
}
