import type { Mapping } from '../mapping.ts';
import { EVENTS_KEPT } from '../release-event.ts';
import { addDays, BEGINNING, dateOf, isCalendarDate, LAST_DATE, LAST_SECOND } from './time.ts';

/** A value of a window column: a calendar date, or whole Unix seconds. */
export type Bound = string | number;

/** A range of a window column, both ends inside. */
export interface Range {
  readonly from: Bound;
  readonly to: Bound;
}

/** The parts of a series of which the mirror has every row. */
export interface Coverage {
  /** Disjoint, oldest first; ranges that touch are one. */
  readonly ranges: readonly Range[];
  /** Nothing existed behind the last range at the last check. Dates behind a closed end are missing. */
  readonly isOpen: boolean;
  /** The newest row at an open end, before which later rows may still be dated. */
  readonly newest?: Bound;
}

/** Sorts behind every date. */
const AFTER_ALL = '\uffff';

export const NO_COVERAGE: Coverage = { ranges: [], isOpen: false };

/** Everything from the first row to the newest one. */
export const FULL_COVERAGE: Coverage = { ranges: [{ from: '', to: AFTER_ALL }], isOpen: true };

export const FIRST_DATE = '0000-01-01';

/** Ranges in any order as the coverage they make together. `isOpen` speaks of the range that reaches furthest. */
export function coverageFrom(ranges: readonly Range[], isOpen: boolean, newest?: Bound): Coverage {
  return { ranges: joinRanges(ranges), isOpen, ...(newest !== undefined && { newest }) };
}

/** The parts of a range that are not covered, oldest first. */
export function missingRangesIn({ ranges, isOpen }: Coverage, { from, to }: Range): readonly Range[] {
  const missingRanges: Range[] = [];
  let next = from;
  for (const range of ranges) {
    if (range.to < next) continue;
    if (range.from > to) break;
    if (range.from > next) missingRanges.push({ from: next, to: boundBefore(range.from) });
    next = boundAfter(range.to);
    if (next > to) return missingRanges;
  }
  const end = ranges.at(-1)?.to;
  const isBehindOpenEnd = isOpen && end !== undefined && next > end;
  if (next <= to && !isBehindOpenEnd) missingRanges.push({ from: next, to });
  return missingRanges;
}

export function isCovered(coverage: Coverage, range: Range): boolean {
  return missingRangesIn(coverage, range).length === 0;
}

/** Dates covered by any of several. An open end is certain to its newest row only where another reaches further. */
export function unionOf(coverages: readonly Coverage[]): Coverage {
  const ends = coverages.map(({ ranges }) => ranges.at(-1)?.to ?? '');
  const end = ends.reduce((a, b) => (b > a ? b : a), '');
  const ranges = joinRanges(coverages.flatMap((one, i) => (ends[i] === end ? one.ranges : certainRanges(one))));
  const [furthest] = coverages.filter((one, i) => one.isOpen && ends[i] === end);
  return {
    ranges,
    isOpen: furthest !== undefined,
    ...(furthest?.newest !== undefined && { newest: furthest.newest }),
  };
}

function certainRanges({ ranges, isOpen, newest }: Coverage): readonly Range[] {
  const last = ranges.at(-1);
  if (!last || !isOpen || newest === undefined || newest >= last.to) return ranges;
  const cut = newest > last.from ? [{ from: last.from, to: newest }] : [];
  return [...ranges.slice(0, -1), ...cut];
}

/** The dates that all coverages have in common, for a result that needs each. The time after an open end is old. */
export function commonTo(coverages: readonly Coverage[]): Coverage {
  const [first = NO_COVERAGE, ...others] = coverages.map(withoutEnd);
  return others.reduce<Coverage>(
    (a, b) => ({ ranges: a.ranges.flatMap((one) => overlaps(one, b.ranges)), isOpen: a.isOpen && b.isOpen }),
    first,
  );
}

function withoutEnd({ ranges, isOpen }: Coverage): Coverage {
  const last = ranges.at(-1);
  if (!isOpen || !last) return { ranges, isOpen };
  const to = typeof last.to === 'number' ? LAST_SECOND : LAST_DATE;
  return { ranges: [...ranges.slice(0, -1), { from: last.from, to: to > last.to ? to : last.to }], isOpen };
}

function overlaps(one: Range, others: readonly Range[]): readonly Range[] {
  return others.flatMap((other) => {
    const from = one.from > other.from ? one.from : other.from;
    const to = one.to < other.to ? one.to : other.to;
    return from <= to ? [{ from, to }] : [];
  });
}

/** For each ordered date, the index after the last date in its covered range; after itself if uncovered. */
export function runEnds({ ranges }: Coverage, dates: readonly Bound[]): readonly number[] {
  const ends = new Array<number>(dates.length);
  for (let start = 0; start < dates.length; ) {
    const range = ranges.find((one) => isWithin(one, dates[start]));
    const end = range ? firstPlace(dates.length, (place) => !isWithin(range, dates[place]), start + 1) : start + 1;
    ends.fill(end, start, end);
    start = end;
  }
  return ends;
}

/** The first place from `start` on where a condition is true, as it is for all places behind it; `length` if there is none. */
export function firstPlace(length: number, holds: (place: number) => boolean, start = 0): number {
  let [low, high] = [start, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isWithin({ from, to }: Range, bound: Bound | undefined): boolean {
  return bound !== undefined && from <= bound && bound <= to;
}

/** The next bound: windows of days and of seconds join without a gap. */
export function boundAfter(bound: Bound): Bound {
  if (typeof bound === 'number') return bound + 1;
  if (bound === LAST_DATE) return AFTER_ALL;
  return isCalendarDate(bound) ? addDays(bound, 1) : bound;
}

export function boundBefore(bound: Bound): Bound {
  if (typeof bound === 'number') return bound - 1;
  return isCalendarDate(bound) ? addDays(bound, -1) : bound;
}

/** Ranges in any order as disjoint ranges, oldest first; adjacent ranges are joined. */
export function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const sorted = [...ranges].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const joined: Range[] = [];
  for (const next of sorted) {
    const last = joined.at(-1);
    if (!last || next.from > boundAfter(last.to)) joined.push(next);
    else if (next.to > last.to) joined[joined.length - 1] = { from: last.from, to: next.to };
  }
  return joined;
}

/** The range whose coverage says that a series is stored whole, at a moment in milliseconds. */
export function wholeRange({ sync }: Mapping, now: number): Range {
  switch (sync.kind) {
    case 'document':
    case 'snapshot':
      return { from: '', to: '' };
    case 'pages':
      return { from: FIRST_DATE, to: dateOf(now) };
    case 'window':
      return { from: 0, to: LAST_SECOND };
    case 'spans':
      return { from: 0, to: Math.floor(now / 1000) };
    case 'history':
      return { from: BEGINNING, to: addDays(dateOf(now), sync.aheadDays ?? 0) };
    case 'cursor':
      return { from: Math.floor(now / 1000) - EVENTS_KEPT, to: LAST_SECOND };
    case 'sequence':
      return { from: 0, to: LAST_SECOND };
  }
}
