import type { Caller } from '../contract/hooks.ts';
import { type JsonObject, objectIn } from '../contract/json/json.ts';
import { type Bound, boundAfter, FIRST_DATE, type Range } from '../contract/time/coverage.ts';
import { dateOf, instantOf, LAST_SECOND } from '../contract/time/time.ts';

/** A closed range of which every row was read, and when: milliseconds. */
export interface CheckedRange {
  readonly from: Bound;
  readonly to: Bound;
  readonly checkedAt: number;
}

/** Whose coverage counts for a caller: an owner's mirror has all that they could request. */
export function accessOfCaller(caller: Caller): 'keyless' | 'keyed' {
  return caller.kind === 'keyed' ? 'keyed' : 'keyless';
}

/** Ranges that were checked, joined. */
interface JoinedRange<B extends Bound> extends CheckedRange {
  readonly from: B;
  readonly to: B;
}

/** A range of instants, in Unix seconds. */
export type TimeRange = JoinedRange<number>;

/** Checked dates joined where they touch or overlap, oldest first. A joined range is as old as its oldest part at its end. */
export const dateRangesOf = (coveredRanges: readonly CheckedRange[]) => joinChecked(coveredRanges, String);

/** The same of instants. */
export const timeRangesOf = (coveredRanges: readonly CheckedRange[]) => joinChecked(coveredRanges, Number);

function joinChecked<B extends Bound>(
  coveredRanges: readonly CheckedRange[],
  read: (bound: Bound) => B,
): readonly JoinedRange<B>[] {
  const sorted = coveredRanges
    .map(({ from, to, checkedAt }) => ({ from: read(from), to: read(to), checkedAt }))
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const joined: JoinedRange<B>[] = [];
  for (const next of sorted) {
    const last = joined.at(-1);
    if (!last || next.from > boundAfter(last.to)) joined.push(next);
    else if (next.to >= last.to) {
      const checkedAt = next.to > last.to ? next.checkedAt : Math.max(last.checkedAt, next.checkedAt);
      joined[joined.length - 1] = { from: last.from, to: next.to, checkedAt };
    }
  }
  return joined;
}

/** End of a span of instants that has none. */
export const OPEN_END = LAST_SECOND;

/** A window that ends at a bound, or today: then nothing later existed. */
interface AskedWindow<B extends Bound> {
  readonly from: B;
  readonly to: B;
  readonly isOpen: boolean;
}

/**
 * Do the ranges cover the window? An open window ends today: a range that reached the day of its own check covers it,
 * because nothing later existed then. Freshness decides how long that counts. A named end is not open: rows may be
 * dated ahead.
 */
export function covers(coveredRanges: readonly CheckedRange[], window: AskedWindow<string>): boolean {
  return dateRangesOf(coveredRanges).some((range) => isReached(range, window, dateOf(range.checkedAt)));
}

/** The same of instants. */
export function coversSpan(coveredRanges: readonly CheckedRange[], span: AskedWindow<number>): boolean {
  return timeRangesOf(coveredRanges).some((range) => isReached(range, span, Math.floor(range.checkedAt / 1000)));
}

function isReached<B extends Bound>({ from, to }: JoinedRange<B>, asked: AskedWindow<B>, checkedAt: B): boolean {
  return from <= asked.from && (to >= asked.to || (asked.isOpen && to >= checkedAt));
}

/** The span that covers a list without a window to its end: every date up to the day of the check. */
export function listSpan(now: number): { readonly from: string; readonly to: string } {
  return { from: FIRST_DATE, to: dateOf(now) };
}

/** Unix seconds between which a calendar file has every release of one indicator. */
export interface CoveredReleases extends Range {
  readonly indicator: string;
}

/** The releases that calendar files cover, read from the envelope of the schedule made from them. */
export function coveredReleases({ covered_releases: listed }: JsonObject): readonly CoveredReleases[] {
  return (Array.isArray(listed) ? listed : []).flatMap((one) => {
    const { indicator, from, to } = objectIn(one);
    const [first, last] = [instantOf(from), instantOf(to)];
    return typeof indicator === 'string' && first !== undefined && last !== undefined
      ? [{ indicator, from: first, to: last }]
      : [];
  });
}
