import type { LoadedSeries, MissingPart, MissingRange, PageView, SeriesRef } from '../contract/hooks.ts';
import {
  type Bound,
  type Coverage,
  isCovered,
  missingRangesIn,
  type Range,
  unionOf,
} from '../contract/time/coverage.ts';
import { type KnownSpan, unknownTimes } from '../contract/time/moments.ts';
import { BEGINNING, dateOf, isoSeconds } from '../contract/time/time.ts';

export function missingIn(coverage: Coverage, { for: member, ...range }: MissingRange): readonly MissingRange[] {
  const parts = missingRangesIn(coverage, range);
  return member === undefined ? parts : parts.map((part) => ({ ...part, for: member }));
}

/** Missing ranges as missing parts of a series: a document has no part that could be named. */
export function missingOfSeries({ endpoint, scope }: SeriesRef, missingRanges: readonly MissingRange[]) {
  const series = { endpoint, scope, exact: true };
  return missingRanges.map(
    ({ reason, ...range }): MissingPart =>
      range.from === '' ? { series } : { series, range, ...(reason && { reason }) },
  );
}

/** The parts of a range that no origin of one series covers. Nothing is missing of an empty range. */
export function missingOfSeriesList(origins: readonly LoadedSeries[], range: Range): readonly MissingPart[] {
  const [first] = origins;
  if (!first) return [];
  const { ranges, isOpen } = unionOf(origins.map(({ coverage }) => coverage));
  return missingOfSeries(first.ref, missingRangesIn({ ranges, isOpen }, range));
}

/** The same of several series, each with all of its origins; each part once. */
export function missingOfEach(loaded: readonly LoadedSeries[], range: Range): readonly MissingPart[] {
  const bySeries = Map.groupBy(loaded, ({ ref }) => JSON.stringify([ref.endpoint, ref.scope]));
  return [...bySeries.values()].flatMap((origins) => missingOfSeriesList(origins, range));
}

/** A series or a document that is not stored at all, or not covered. */
export function missingAll(endpoint: string, scope: Readonly<Record<string, string>>): MissingPart {
  return { series: { endpoint, scope, exact: true } };
}

/** Missing changes of a series that became known at unchecked times, as far as moments (milliseconds) need them. */
export function missingOfUncheckedTimes(
  { endpoint, scope }: SeriesRef,
  spans: readonly KnownSpan[],
  moments: readonly number[],
): readonly MissingPart[] {
  const series = { endpoint, scope, exact: true };
  // An event that came by itself began the series, and nobody ever asked for the rest.
  if (spans.length === 0) return moments.length === 0 ? [] : [{ series, reason: 'unchecked' }];
  const iso = (at: number) => isoSeconds(Math.floor(at / 1000));
  return unknownTimes(spans, moments).map(({ from, to }) => ({
    series,
    range: { from: iso(from), to: iso(to) },
    reason: 'unchecked',
  }));
}

/** The parts of what an answer shows, which ends at a bound: nothing behind it is missing. */
export function missingUpTo(parts: readonly MissingPart[], end: Bound): readonly MissingPart[] {
  return parts.flatMap((part) => {
    if (!part.range) return [part];
    return part.range.from > end ? [] : [{ ...part, range: { ...part.range, to: earlier(part.range.to, end) } }];
  });
}

export function earlier<T extends Bound>(a: T, b: T): T {
  return a < b ? a : b;
}

export function later<T extends Bound>(a: T, b: T): T {
  return a > b ? a : b;
}

interface WindowArgs {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** Whether the asked window has a row; undefined where none is stored and one may exist. */
export async function hasRows<A extends WindowArgs>(view: PageView<A>): Promise<boolean | undefined> {
  if ((await view.window()).length > 0) return true;
  const { args, coverage, now } = view;
  const today = dateOf(now * 1000);
  const { start_date: from = BEGINNING, end_date: to = today } = args;
  return isCovered(coverage, { from, to: to < today ? to : today }) ? false : undefined;
}
