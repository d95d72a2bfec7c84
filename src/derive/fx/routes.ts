import type { LoadedSeries, MissingPart, PlaceRange } from '../../contract/hooks.ts';
import {
  type Coverage,
  commonTo,
  coverageFrom,
  isCovered,
  missingRangesIn,
  type Range,
  runEnds,
  unionOf,
} from '../../contract/time/coverage.ts';
import { BEGINNING, daysBetween, LAST_DATE } from '../../contract/time/time.ts';
import { cadenceOf } from '../cadence.ts';
import { datesOf, dayRangeWithin, numbersOf } from '../places.ts';
import { type History, historyOf, isImportedSeries, observationAt, originAt, type Points, pointsOf } from './legs.ts';
import { type Pair, type Path, pathsOf, seriesOfPair } from './paths.ts';
import { type RatedPoint, rateOf } from './rates.ts';

/** A date of the asked pair with its rate and the path that it came by. */
export interface RoutedPoint extends RatedPoint {
  readonly path: Path;
}

/** A path with the histories of its legs, in their order. */
export interface FxRoute {
  readonly path: Path;
  readonly histories: readonly History[];
  /** Dates that it offers, whatever the window. */
  readonly points: Points;
}

/** Rates of the asked pair, newest first, as columns. */
export interface Rates {
  readonly dates: readonly string[];
  /** NaN where a date has no rate. */
  readonly vals: Float64Array;
  /** A price of the bars, NaN where a date has none. A derived rate has none, because nobody observed it. */
  prices(name: string): Float64Array | undefined;
  /** What stands behind a rate, the stored rows included. */
  pointAt(index: number): RoutedPoint;
}

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
 * Rates inside both bounds, newest first, by the best path that may have one. A path that covers a date decides it; an
 * uncovered date of a service's path is left to files, since another path would give another number.
 */
export function ratesBy(routes: readonly FxRoute[], from: string, to: string): Rates {
  const [best, ...others] = routes.map((route) => ratesAlong(route, dayRangeWithin(route.points.dates, from, to)));
  if (!best || others.length === 0) return best ?? mixedRates([]);
  const decides = routes.map((route) => {
    const ofFiles = isOfFiles(route);
    const coverage = ofFiles ? reachOfRoute(route) : coverageOfRoute(route);
    return (day: Range, other: FxRoute) => (!ofFiles && !isOfFiles(other)) !== isCovered(coverage, day);
  });
  const byDate = new Map<string, Entry>();
  let isFilled = false;
  for (const [place, rates] of [best, ...others].entries()) {
    const better = decides.slice(0, place);
    const route = routes[place];
    for (const [index, date] of rates.dates.entries()) {
      const known = byDate.get(date);
      if (known && !Number.isNaN(known.rates.vals[known.index])) continue;
      const day = { from: date, to: date };
      if (route && better.some((isDecided) => isDecided(day, route))) continue;
      byDate.set(date, { date, rates, index });
      isFilled ||= rates !== best;
    }
  }
  return isFilled ? mixedRates([...byDate.values()].sort((a, b) => (a.date < b.date ? 1 : -1))) : best;
}

/** The rates of one route on a stretch of its dates, or on all of them. */
export function ratesAlong(route: FxRoute, { start, end }: PlaceRange = whole(route.points.dates)): Rates {
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

const whole = (dates: readonly string[]): PlaceRange => ({ start: 0, end: dates.length });

function derivedVals({ path, histories, points }: FxRoute, { start, end }: PlaceRange): Float64Array {
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

function coverageOfPair({ series }: History): Coverage {
  return unionOf(series.map(({ coverage }) => coverage));
}

/** A path needs each of its legs. */
export function coverageOfRoute({ histories }: Pick<FxRoute, 'histories'>): Coverage {
  return commonTo(histories.map(coverageOfPair));
}

/** The dates that a path of files was looked at on: behind the end of a file nothing is known, of another one there may be. */
function reachOfRoute(route: Pick<FxRoute, 'histories' | 'points'>): Coverage {
  const { histories } = route;
  return fromFirstRate(route, commonTo(histories.map((history) => ({ ...coverageOfPair(history), isOpen: false }))));
}

/** A file vouches for no rate before its first one in its own series alone: other files may have earlier rates. */
function fromFirstRate({ points }: Pick<FxRoute, 'points'>, coverage: Coverage): Coverage {
  const first = points.dates.at(-1);
  const ranges = first === undefined ? [] : coverage.ranges.filter(({ to }) => to >= first);
  return { ...coverage, ranges: ranges.map(({ from, to }) => ({ from: first && from < first ? first : from, to })) };
}

/** A path that an answer may use, and where it has to be known. */
interface Use {
  readonly route: FxRoute;
  /** Dates that better paths decide: what this one says of them does not matter. */
  readonly decided: readonly Range[];
}

/** Paths that decide dates, without those that add none: inner ones and the reverse of a direct pair. */
function usesOf(routes: readonly FxRoute[]): readonly Use[] {
  const [best] = routes;
  const isDirect = best?.path.method === 'direct_original_pair';
  const used = routes.filter(({ path }) => !(isDirect && path.method === 'inverse_of_direct_pair'));
  return used.map((route, i) => ({ route, decided: used.slice(0, i).flatMap(spanOf) }));
}

function spanOf({ points: { dates } }: FxRoute): readonly Range[] {
  const [newest, oldest] = [dates[0], dates.at(-1)];
  return newest === undefined || oldest === undefined ? [] : [{ from: oldest, to: newest }];
}

/** Does a path rest on files alone? Dates that one covers are covered; a service's path speaks only for itself. */
function isOfFiles({ histories }: Pick<FxRoute, 'histories'>): boolean {
  return histories.every(({ series }) => series.every(isImportedSeries));
}

/** The dates of which everything is known that the answer rests on: by the service's paths, or by those of files. */
export function coverageOfRoutes(routes: readonly FxRoute[]): Coverage {
  const [files, own] = [routes.filter(isOfFiles), routes.filter((route) => !isOfFiles(route))];
  if (own.length === 0) return coverageOfFiles(files);
  const ofService = commonTo(usesOf(own).map(({ route, decided }) => beside(coverageOfRoute(route), decided)));
  return files.length === 0 ? ofService : unionOf([ofService, coverageOfFiles(files)]);
}

/** Before the first rate of all paths of files there is nothing where any of them says so. */
function coverageOfFiles(routes: readonly FxRoute[]): Coverage {
  const end = routes.reduce((latest, route) => (newestOf(route) > latest ? newestOf(route) : latest), '');
  const own = routes.map((route) => {
    const coverage = fromFirstRate(route, coverageOfRoute(route));
    return newestOf(route) < end ? upTo(coverage, newestOf(route)) : coverage;
  });
  const { ranges, isOpen, newest } = unionOf(own);
  const first = ranges[0]?.from ?? LAST_DATE;
  const before: Coverage = { ranges: [{ from: '', to: first }], isOpen: false };
  const silent = commonTo([unionOf(routes.map(coverageOfRoute)), before]);
  return coverageFrom([...silent.ranges, ...ranges], isOpen, newest);
}

const newestOf = ({ points }: Pick<FxRoute, 'points'>): string => points.dates[0] ?? '';

/** An open end is certain to the newest rate only where another path reaches further. */
function upTo(coverage: Coverage, last: string): Coverage {
  if (!coverage.isOpen) return coverage;
  const ranges = coverage.ranges.filter(({ from }) => from <= last);
  return { ranges: ranges.map(({ from, to }) => ({ from, to: to > last ? last : to })), isOpen: false };
}

/** Missing parts of the paths, each once; for files those of the first path that no other covers. */
export function missingOfRoutes(routes: readonly FxRoute[], coverage: Coverage, range: Range): readonly MissingPart[] {
  if (isCovered(coverage, range)) return [];
  const [files, own] = [routes.filter(isOfFiles), routes.filter((route) => !isOfFiles(route))];
  const decided = own.length === 0 || files.length === 0 ? [] : coverageOfFiles(files).ranges;
  const missingParts =
    own.length === 0
      ? missingOfFiles(files, range)
      : usesOf(own).flatMap((use) => missingOfRoute({ ...use, decided: [...use.decided, ...decided] }, range));
  return [...new Map(missingParts.map((missingPart) => [JSON.stringify(missingPart), missingPart])).values()];
}

function missingOfFiles(routes: readonly FxRoute[], range: Range): readonly MissingPart[] {
  const coverage = coverageOfFiles(routes);
  const decided = coverage.ranges;
  if (isCovered(coverage, range)) return [];
  for (const route of routes) {
    const missingParts = missingOfRoute({ route, decided }, range);
    if (missingParts.length > 0) return missingParts;
  }
  // Each path says of itself that there is nothing, and none that there is nothing at all.
  const pairs = routes.slice(0, 1).flatMap(({ histories }) => histories.map(({ pair }) => pair));
  return pairs.flatMap((pair) =>
    missingRangesIn(coverage, range).map((missingRange) => ({
      series: { ...seriesOfPair(pair), exact: true },
      range: missingRange,
    })),
  );
}

function missingOfRoute({ route, decided }: Use, range: Range): readonly MissingPart[] {
  return route.histories.flatMap((history) => {
    const series = { ...seriesOfPair(history.pair), exact: true };
    return missingRangesIn(beside(coverageOfPair(history), decided), range).map((missingRange) => ({
      series,
      range: missingRange,
    }));
  });
}

function beside({ ranges, isOpen }: Coverage, decided: readonly Range[]): Coverage {
  return coverageFrom([...ranges, ...decided], isOpen);
}

/** Days without a rate of a daily series behind which its indicators begin anew. */
const LONGEST_PAUSE = 30;

/** Places, newest first, of the first rates behind a long stretch without any, as that of the krona from 2008 to 2018. */
export function beginningsOf(dates: readonly string[]): readonly number[] {
  const isBeginning = (date: string, before: string | undefined) =>
    before !== undefined && before.slice(0, 7) !== date.slice(0, 7) && daysBetween(before, date) > LONGEST_PAUSE;
  const found = dates.flatMap((date, place) => (isBeginning(date, dates[place + 1]) ? [place] : []));
  return found.length > 0 && cadenceOf(dates) === 'daily' ? found : [];
}

/** Bars in a row without a gap, newest first; infinitely many back to the first or to a new beginning. */
export function barsReaching(
  history: Rates,
  coverage: Coverage,
  beginnings: readonly number[],
): (place: number) => number {
  const { dates } = history;
  const ends = runEnds(coverage, dates);
  const oldest = dates.at(-1);
  const isFromStart = oldest !== undefined && missingRangesIn(coverage, { from: BEGINNING, to: oldest }).length === 0;
  let counts: Int32Array | undefined;
  return (place) => {
    const end = ends[place] ?? place;
    if (end === dates.length && isFromStart) return Number.POSITIVE_INFINITY;
    // The rate before the pause is covered as well, and so is the pause.
    const begun = beginnings.find((beginning) => beginning >= place);
    if (begun !== undefined && begun + 1 < end) return Number.POSITIVE_INFINITY;
    counts ??= barsToOldest(history);
    return (counts[place] ?? 0) - (counts[end] ?? 0);
  };
}

/** Bars from each place to the oldest one: a date without a rate is none. */
function barsToOldest({ dates, vals }: Rates): Int32Array {
  const counts = new Int32Array(dates.length + 1);
  for (let i = dates.length - 1; i >= 0; i -= 1)
    counts[i] = (counts[i + 1] ?? 0) + (Number.isNaN(vals[i] ?? Number.NaN) ? 0 : 1);
  return counts;
}
