import type { LoadedSeries } from '../../../contract/hooks.ts';
import { isCovered } from '../../../contract/time/coverage.ts';
import { areOfFiles, coverageOfRoute, reachOfRoute } from './coverage.ts';
import { type DayRange, dayRangeWithin } from './dates.ts';
import type { FxRoute, Rates } from './fx-route.ts';
import { type History, historyOf, observationAt, originAt, pointsOf } from './legs.ts';
import { type Pair, pathsOf } from './paths.ts';
import { rateOf } from './rates.ts';
import { datesOf, numbersOf } from './series-columns.ts';

/** The paths over the loaded series that have any row, the best one first; those without rows when no series has one. */
export function fxRoutes(target: Pair, loaded: readonly LoadedSeries[]): readonly FxRoute[] {
  // A series without a row tells that there is none only where it is covered.
  const filled = loaded.filter((series) => datesOf(series).length > 0 || series.coverage.ranges.length === 0);
  const paths = pathsOf(
    target,
    (filled.length > 0 ? filled : loaded).map(({ ref }) => ref),
  );
  return paths.map((path) => {
    const histories = path.legs.map(({ pair }) => historyOf(pair, loaded, path.origin));
    return { path, histories, points: pointsOf(histories, path.method === 'direct_original_pair') };
  });
}

/**
 * The rates inside both bounds, newest first: each date by the best path that may have a rate for it. A file that covers a
 * date without a rate says that there is none, and no worse path fills it; otherwise what a date shows would depend on what
 * else was asked.
 */
export function ratesBy(routes: readonly FxRoute[], from: string, to: string): Rates {
  const [best, ...others] = routes.map((route) => ratesAlong(route, dayRangeWithin(route.points.dates, from, to)));
  if (!best || others.length === 0) return best ?? mixedRates([]);
  const ofFiles = areOfFiles(routes);
  const coverages = routes.map(ofFiles ? reachOfRoute : coverageOfRoute);
  const byDate = new Map<string, Entry>();
  let isFilled = false;
  for (const [place, rates] of [best, ...others].entries()) {
    const better = coverages.slice(0, place);
    for (const [index, date] of rates.dates.entries()) {
      const known = byDate.get(date);
      if (known && !Number.isNaN(known.rates.vals[known.index])) continue;
      const day = { from: date, to: date };
      // Of files: the better one says that there is no rate. Of a service: it may have one that is not stored, and another
      // path's rate is another number.
      if (better.some((coverage) => isCovered(coverage, day) === ofFiles)) continue;
      byDate.set(date, { date, rates, index });
      isFilled ||= rates !== best;
    }
  }
  return isFilled ? mixedRates([...byDate.values()].sort((a, b) => (a.date < b.date ? 1 : -1))) : best;
}

/** The rates of one route on a stretch of its dates, or on all of them. */
export function ratesAlong(route: FxRoute, { start, end }: DayRange = whole(route.points.dates)): Rates {
  const { path, histories, points } = route;
  const isDirect = path.method === 'direct_original_pair';
  const [own] = histories;
  const placeIn = (leg: number, index: number) => points.places?.[leg]?.[start + index] ?? start + index;
  const vals = isDirect && own ? own.vals.subarray(start, end) : derivedVals(route, { start, end });
  return {
    dates: points.dates.slice(start, end),
    vals,
    prices: (name) => (isDirect && own ? pricesOf(own, name)?.subarray(start, end) : undefined),
    pointAt(index) {
      const val = vals[index] ?? Number.NaN;
      return {
        date: points.dates[start + index] ?? '',
        parts: histories.map((history, leg) => observationAt(history, placeIn(leg, index))),
        rate: Number.isNaN(val) ? null : val,
        path,
      };
    },
  };
}

const whole = (dates: readonly string[]): DayRange => ({ start: 0, end: dates.length });

function derivedVals({ path, histories, points }: FxRoute, { start, end }: DayRange): Float64Array {
  const vals = new Float64Array(end - start);
  for (let index = start; index < end; index += 1) {
    const legs = histories.map((history, leg) => history.vals[points.places?.[leg]?.[index] ?? index] ?? null);
    vals[index - start] = rateOf(path, legs) ?? Number.NaN;
  }
  return vals;
}

function pricesOf(history: History, name: string): Float64Array | undefined {
  const columns = history.series.map((series) => numbersOf(series, name));
  if (!history.origins) return columns[0];
  if (columns.every((column) => column === undefined)) return undefined;
  return Float64Array.from(history.dates, (_, index) => {
    const { series, place } = originAt(history, index);
    return columns[history.series.indexOf(series)]?.[place] ?? Number.NaN;
  });
}

/** A date among the rates of a route. */
interface Entry {
  readonly date: string;
  readonly rates: Rates;
  readonly index: number;
}

/** Rates that came by several routes. */
function mixedRates(entries: readonly Entry[]): Rates {
  return {
    dates: entries.map(({ date }) => date),
    vals: Float64Array.from(entries, ({ rates, index }) => rates.vals[index] ?? Number.NaN),
    prices(name) {
      const columns = new Map<Rates, Float64Array | undefined>();
      for (const { rates } of entries) if (!columns.has(rates)) columns.set(rates, rates.prices(name));
      if ([...columns.values()].every((column) => column === undefined)) return undefined;
      return Float64Array.from(entries, ({ rates, index }) => columns.get(rates)?.[index] ?? Number.NaN);
    },
    pointAt(index) {
      const entry = entries[index];
      if (!entry) throw new Error(`There is no rate ${index}`);
      return entry.rates.pointAt(entry.index);
    },
  };
}
