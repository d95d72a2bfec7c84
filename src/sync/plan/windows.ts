import { KEYLESS_DAYS } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { coverageFrom, missingRangesIn } from '../../contract/time/coverage.ts';
import { addDays, BEGINNING } from '../../contract/time/time.ts';
import type { AccessTag, StoredCoverage } from '../../mirror/api/series.ts';

/** A closed window of dates to walk, both ends included. */
export interface DateWindow {
  readonly from: string;
  readonly to: string;
}

export interface HistoryState {
  readonly endpoint: Endpoint;
  readonly access: AccessTag;
  readonly coveredRanges: readonly StoredCoverage[];
  /** UTC date. */
  readonly today: string;
}

/**
 * Windows that complete a history: the head, then uncovered ones, newest first, without overlap. Keyless callers are
 * asked for what they may see.
 */
export function planHistory(state: HistoryState): readonly DateWindow[] {
  const head = headOf(state);
  return [head, ...uncovered(state.coveredRanges, { from: firstOf(state), to: addDays(head.from, -1) })];
}

export function firstOf({ endpoint, access, today }: Omit<HistoryState, 'coveredRanges'>): string {
  return access === 'keyless' && endpoint.access.window === true ? addDays(today, -KEYLESS_DAYS) : BEGINNING;
}

/** The window of the newest rows: from the last check, correctable rows and the newest known row on. */
export function headOf(state: HistoryState): DateWindow {
  const { endpoint, coveredRanges, today } = state;
  const sync = endpoint.mirror?.sync;
  const { revisionDays, aheadDays = 0 } = sync?.kind === 'history' ? sync : { revisionDays: 0 };
  const reached = coveredRanges.map(({ to }) => String(to)).reduce(later, '');
  const newest = reached === '' || reached < firstOf(state) ? today : earlier(reached, today);
  const from = earlier(addDays(newest, -revisionDays), certainEnd(coveredRanges) ?? newest);
  return { from: later(firstOf(state), from), to: addDays(today, aheadDays) };
}

/** The date up to which coverage is certain; undefined where all of them are closed. */
export function certainEnd(coveredRanges: readonly StoredCoverage[]): string | undefined {
  const open = coveredRanges.filter(({ newest }) => newest !== undefined);
  const ends = open.flatMap(({ newest }) => (typeof newest === 'string' ? [newest] : []));
  // If a series had no row yet, nothing is certain after its first covered date.
  const begins = open.map(({ from }) => String(from));
  if (ends.length > 0) return ends.reduce(later);
  return begins.length > 0 ? begins.reduce(earlier) : undefined;
}

/** The ranges of a window that nothing covers, newest first. */
export function uncovered(coveredRanges: readonly StoredCoverage[], within: DateWindow): readonly DateWindow[] {
  const missing = missingRangesIn(coverageFrom(coveredRanges, false), within);
  return missing.map(({ from, to }) => ({ from: String(from), to: String(to) })).reverse();
}

const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);
