import type { LoadedSeries, MissingPart } from '../../contract/hooks.ts';
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
import { datesOf, type MergedDates, mergeDates, numbersOf } from '../places.ts';
import { type History, historyOf, isImportedSeries, observationAt, originAt, type Points, pointsOf } from './legs.ts';
import { type Pair, type Path, pairText, pathsOf, seriesOfPair } from './paths.ts';
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
  /** All routes; a route without a chosen rate has only its first and last date. */
  readonly routes: readonly FxRoute[];
  /** A price of the bars, NaN where a date has none. A derived rate has none, because nobody observed it. */
  prices(name: string): Float64Array | undefined;
  /** Which route a rate came by, as a place in `routes`, and its place among the dates of that one. */
  routeAt(index: number): number;
  placeAt(index: number): number;
  /** The inputs of a rate, the stored rows included. */
  pointAt(index: number): RoutedPoint;
}

/** The paths over the loaded series that have any row, the best one first; those without rows when no series has one. */
export function fxRoutes(target: Pair, loaded: readonly LoadedSeries[]): readonly FxRoute[] {
  const histories = new Map<string, History>();
  const historyBy = (pair: Pair, origin: string | undefined) => {
    const name = `${pairText(pair)} ${origin}`;
    const history = histories.get(name) ?? historyOf(pair, loaded, origin);
    histories.set(name, history);
    return history;
  };
  // A series without a row tells that there is none only where it is covered.
  const filled = loaded.filter((series) => datesOf(series).length > 0 || series.coverage.ranges.length === 0);
  const paths = pathsOf(
    target,
    (filled.length > 0 ? filled : loaded).map(({ ref }) => ref),
  );
  return paths.map((path) => {
    const legs = path.legs.map(({ pair }) => historyBy(pair, path.origin));
    return { path, histories: legs, points: pointsOf(legs, path.method === 'direct_original_pair') };
  });
}

/** Rates newest first, each date by the first route that may speak for it. */
export function ratesBy(routes: readonly FxRoute[]): Rates {
  const chosen = chooseRates(routes);
  const used = new Set(chosen.lists);
  const only = used.size === 1 ? routes[chosen.lists[0] ?? 0] : undefined;
  const isAll = only?.points.dates.length === chosen.dates.length;
  return ratesOf(
    routes.map((route, i) => (used.has(i) ? route : withEndsAlone(route))),
    isAll ? { ...chosen, dates: only.points.dates } : chosen,
  );
}

/**
 * A path that covers a date decides it. If a service's path does not cover a date, only files may fill it, because
 * another path of the service would give another number. After the last check of a series nothing is known, whatever
 * the window.
 */
function chooseRates(routes: readonly FxRoute[]): MergedDates {
  const deciders = routes.map((route) => {
    const [ofFiles, coverage] = [isOfFiles(route), coverageOfRoute(route)];
    return { route, ofFiles, coverage, reach: ofFiles ? reachOfRoute(route) : { ...coverage, isOpen: false } };
  });
  const isDecided = (date: string, route: number) => {
    const day = { from: date, to: date };
    const isOfFile = deciders[route]?.ofFiles;
    const better = deciders.slice(0, route);
    return better.some(({ ofFiles, coverage, reach }) =>
      ofFiles || isOfFile ? isCovered(reach, day) : !isCovered(coverage, day),
    );
  };
  const columns = routes.map(({ points }) => points.dates);
  return mergeDates(columns, (date, i, place) => {
    const { route } = deciders[i] ?? {};
    return !route || (i > 0 && isDecided(date, i)) ? undefined : rateAlong(route, place);
  });
}

/** NaN without one. */
function rateAlong({ path, histories, points }: FxRoute, index: number): number {
  const legs = histories.map(({ vals }, leg) => vals[points.places?.[leg]?.[index] ?? index] ?? null);
  return rateOf(path, legs) ?? Number.NaN;
}

/** The remaining facts of a route without a chosen rate: its series, their coverage, and its first and last date. */
function withEndsAlone(route: FxRoute): FxRoute {
  const { dates } = route.points;
  return {
    path: route.path,
    histories: route.histories.map(({ pair, series }) => ({ pair, series, dates: [], vals: new Float64Array() })),
    points: { dates: [dates[0], dates.at(-1)].filter((date) => date !== undefined) },
  };
}

function ratesOf(routes: readonly FxRoute[], { dates, vals, lists: of, places }: MergedDates): Rates {
  const routeAt = (index: number) => of[index] ?? 0;
  const placeAt = (index: number) => places[index] ?? 0;
  return {
    ...{ dates, vals, routes, routeAt, placeAt },
    prices(name) {
      const columns = routes.map(({ path, histories: [own] }) =>
        path.method === 'direct_original_pair' && own ? pricesOf(own, name) : undefined,
      );
      if (columns.every((column) => column === undefined)) return undefined;
      return Float64Array.from(dates, (_, index) => columns[routeAt(index)]?.[placeAt(index)] ?? Number.NaN);
    },
    pointAt(index) {
      const route = routes[routeAt(index)];
      if (!route || index >= dates.length) throw new Error(`There is no rate ${index}`);
      const { path, histories, points } = route;
      const place = placeAt(index);
      const val = vals[index] ?? Number.NaN;
      return {
        date: dates[index] ?? '',
        parts: histories.map((history, leg) => observationAt(history, points.places?.[leg]?.[place] ?? place)),
        rate: Number.isNaN(val) ? null : val,
        path,
      };
    },
  };
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

function coverageOfPair({ series }: History): Coverage {
  return unionOf(series.map(({ coverage }) => coverage));
}

/** A path needs each of its legs. */
export function coverageOfRoute({ histories }: Pick<FxRoute, 'histories'>): Coverage {
  return commonTo(histories.map(coverageOfPair));
}

/** The dates that a path of files covers. Behind the end of a file another one may have rates. */
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

/** Paths that decide dates, without inner paths and the reverse of a direct pair, which add none. */
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

/** Places, newest first, of the first rates behind a long time without any, as that of the krona from 2008 to 2018. */
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
