import { ITS_OWNER_CAN, MIRROR_INCOMPLETE } from '../contract/answer-members.ts';
import type { ErrorKind, MacroError } from '../errors.ts';
import {
  addRowCounts,
  noRows,
  type SeriesProblem,
  type SeriesReport,
  type SyncOutcome,
  type SyncReport,
  worstOf,
} from './report.ts';
import type { Work } from './work.ts';

/** How one series fared in a run. */
export interface SeriesEnd {
  readonly name: string;
  readonly work: Pick<Work, 'counts'>;
  readonly error: MacroError | undefined;
  /** Steps of it are still to be made. */
  readonly isOpen: boolean;
  /** Nobody asked for it. */
  readonly isImplied: boolean;
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

/** What a series ran into whose service is a mirror with holes. */
const PARTIAL: SeriesProblem = {
  kind: 'incomplete',
  code: MIRROR_INCOMPLETE,
  message: 'The service itself does not hold all of it, so nothing of it counts as complete.',
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
  const outcome = end?.kind === 'upstream' ? 'failed' : worstOf(series.map((one) => one.outcome));
  const kind = kindOf(series, outcome, end?.kind);
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
 * The kind of error that decides the exit code. What ends a run for a reason of its own (quota, mirror, interruption) is
 * that reason. Else a run of which some series are complete is incomplete, and one without any failed for what its series
 * failed for.
 */
function kindOf(series: readonly SeriesReport[], outcome: SyncOutcome, end: ErrorKind | undefined) {
  if (end !== undefined && end !== 'upstream') return end;
  if (outcome === 'complete') return undefined;
  const selected = series.filter(({ isImplied }) => isImplied !== true);
  if (selected.some((one) => one.outcome === 'complete')) return 'incomplete';
  if (end !== undefined || selected.some(({ problem }) => problem?.kind === 'upstream')) return 'upstream';
  return series.find((one) => one.outcome === outcome)?.problem?.kind;
}

/** Two runs, one after the other, as one. */
export function joinReports(a: SyncReport, b: SyncReport): SyncReport {
  const end = a.end ?? b.end;
  return summarizeRun({ series: [...a.series, ...b.series], skipped: a.skipped + b.skipped, ...(end && { end }) });
}
