import type { LoadedRow, LoadedSeries } from '../../contract/hooks.ts';
import { isOfPair, type Pair, rankOf } from './paths.ts';

/** One stored rate of one pair, and the series that it comes from. */
export interface Observation {
  readonly date: string;
  readonly val: number | null;
  readonly row: LoadedRow;
  readonly series: LoadedSeries;
}

/** True for the series of a bulk file, whose rows know their date and value alone. */
export function isImported(series: LoadedSeries): boolean {
  return rankOf(series.ref.origin) > 0;
}

/** The history of one pair, newest first. */
export interface History {
  readonly pair: Pair;
  readonly observations: readonly Observation[];
  /** Series of the pair, the best-ranked first. */
  readonly series: readonly LoadedSeries[];
}

/**
 * One history from all origins of a pair, each date once. The specification's source priority for daily values decides:
 * the service's own rows first, then imported official files; a better-ranked source replaces the value of a worse one,
 * and dates that only the worse one has are kept.
 */
export function historyOf(pair: Pair, loaded: readonly LoadedSeries[]): History {
  const series = loaded
    .filter(({ ref }) => isOfPair(ref, pair))
    .sort((a, b) => rankOf(a.ref.origin) - rankOf(b.ref.origin) || (a.ref.origin < b.ref.origin ? -1 : 1));
  const observations = series
    .map((one) => one.rows.map((row) => observe(one, row)))
    .reduce<readonly Observation[]>(mergeByDate, []);
  return { pair, observations, series };
}

function observe(series: LoadedSeries, row: LoadedRow): Observation {
  const { date, val } = row.columns;
  return { date: String(date), val: typeof val === 'number' ? val : null, row, series };
}

/** Both lists are newest first; where both have a date, `better` speaks. */
function mergeByDate(better: readonly Observation[], worse: readonly Observation[]): readonly Observation[] {
  if (better.length === 0) return worse;
  const merged: Observation[] = [];
  let at = 0;
  for (const known of better) {
    for (let next = worse[at]; next && next.date >= known.date; next = worse[++at])
      if (next.date > known.date) merged.push(next);
    merged.push(known);
  }
  return [...merged, ...worse.slice(at)];
}

/** A date of the asked pair with the stored rates that it follows from, one of each leg, in the order of the legs. */
export interface Point {
  readonly date: string;
  readonly parts: readonly Observation[];
}

/** Dates on which every leg has a rate, newest first; a single direct leg keeps its dates without a rate as well. */
export function pointsOf(histories: readonly History[], keepEmpty: boolean): readonly Point[] {
  const [first, ...others] = histories;
  if (!first) return [];
  const lookups = others.map(({ observations }) => new Map(observations.map((one) => [one.date, one])));
  if (others.length === 0)
    return first.observations
      .filter(({ val }) => keepEmpty || isRate(val))
      .map((one) => ({ date: one.date, parts: [one] }));
  const points: Point[] = [];
  for (const one of first.observations) {
    const parts = [one];
    for (const lookup of lookups) {
      const part = lookup.get(one.date);
      if (part) parts.push(part);
    }
    if (parts.length < histories.length) continue;
    if (keepEmpty || parts.every(({ val }) => isRate(val))) points.push({ date: one.date, parts });
  }
  return points;
}

/** A rate that can be multiplied and divided by. */
export function isRate(val: number | null): val is number {
  return val !== null && Number.isFinite(val) && val > 0;
}

/** Items of a list ordered newest first whose date is inside both bounds. */
export function within<T extends { readonly date: string }>(
  items: readonly T[],
  from: string,
  to: string,
): readonly T[] {
  const start = items.findIndex(({ date }) => date <= to);
  if (start < 0) return [];
  const end = items.findIndex(({ date }) => date < from);
  return items.slice(start, end < 0 ? undefined : end);
}
