import type { Caller } from '../contract/hooks.ts';
import { type JsonObject, objectIn } from '../contract/json/json.ts';
import { type Bound, FIRST_DATE, type Range } from '../contract/time/coverage.ts';
import { addDays, dateOf, instantOf, LAST_SECOND } from '../contract/time/time.ts';

/** A closed range of which every row was read, and when: milliseconds. */
export interface CheckedRange {
  readonly from: Bound;
  readonly to: Bound;
  readonly provenAt: number;
}

/**
 * Whose coverage counts for a caller. An owner needs no keyed coverage: their own mirror has all that they could
 * request.
 */
export function evidenceFor(caller: Caller): 'keyless' | 'keyed' {
  return caller.kind === 'keyed' ? 'keyed' : 'keyless';
}

/** A range of dates of which every row is stored, and when its older part was last checked. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
  /** Milliseconds. */
  readonly provenAt: number;
}

/** Date proofs joined where they touch or overlap, oldest first. A joined range is as old as its oldest part at its end. */
export function dateRangesOf(proofs: readonly CheckedRange[]): readonly DateRange[] {
  const sorted = proofs
    .map((proof) => ({ from: String(proof.from), to: String(proof.to), provenAt: proof.provenAt }))
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const joined: DateRange[] = [];
  for (const next of sorted) {
    const last = joined.at(-1);
    if (!last || next.from > addDays(last.to, 1)) joined.push(next);
    else if (next.to > last.to) joined[joined.length - 1] = { ...last, to: next.to, provenAt: next.provenAt };
    else if (next.to === last.to)
      joined[joined.length - 1] = { ...last, provenAt: Math.max(last.provenAt, next.provenAt) };
  }
  return joined;
}

/** End of a span of instants that has none. */
export const OPEN_END = LAST_SECOND;

/** Do proofs over instants (Unix seconds) cover a span, as `covers` says it of dates? */
export function coversSpan(
  proofs: readonly CheckedRange[],
  span: { from: number; to: number; isOpen: boolean },
): boolean {
  return timeRangesOf(proofs).some(({ from, to, provenAt }) => {
    const reaches = to >= span.to || (span.isOpen && to >= Math.floor(provenAt / 1000));
    return from <= span.from && reaches;
  });
}

/** A range of instants, in Unix seconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  /** Milliseconds. */
  readonly provenAt: number;
}

/** Proofs over instants joined where they touch or overlap, oldest first. */
export function timeRangesOf(proofs: readonly CheckedRange[]): readonly TimeRange[] {
  const sorted = proofs
    .map(({ from, to, provenAt }) => ({ from: Number(from), to: Number(to), provenAt }))
    .sort((a, b) => a.from - b.from);
  const joined: TimeRange[] = [];
  for (const next of sorted) {
    const last = joined.at(-1);
    if (!last || next.from > last.to + 1) joined.push(next);
    else if (next.to >= last.to) {
      const provenAt = next.to > last.to ? next.provenAt : Math.max(last.provenAt, next.provenAt);
      joined[joined.length - 1] = { from: last.from, to: next.to, provenAt };
    }
  }
  return joined;
}

/**
 * Do the proofs cover the window? An open window ends today: a range that reached the day of its own check covers it,
 * because nothing later existed then. Freshness decides how long that counts. A named end is not open: rows may be
 * dated ahead.
 */
export function covers(
  proofs: readonly CheckedRange[],
  window: { from: string; to: string; isOpen: boolean },
): boolean {
  return dateRangesOf(proofs).some((range) => {
    const reaches = range.to >= window.to || (window.isOpen && range.to >= dateOf(range.provenAt));
    return range.from <= window.from && reaches;
  });
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
