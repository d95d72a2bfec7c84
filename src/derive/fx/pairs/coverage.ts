import type { Lack } from '../../../contract/hooks.ts';
import {
  type Coverage,
  commonTo,
  coverageFrom,
  holesIn,
  isCovered,
  type Range,
  runEnds,
  unionOf,
} from '../../../contract/time/coverage.ts';
import { BEGINNING, LAST_DATE } from '../../../contract/time/time.ts';
import type { FxRoute, Rates } from './fx-route.ts';
import { type History, isImportedSeries } from './legs.ts';
import { seriesOfPair } from './paths.ts';

/** Any origin of a pair covers a date of it. */
function coverageOfPair({ series }: History): Coverage {
  return unionOf(series.map(({ coverage }) => coverage));
}

/** A path needs each of its legs. */
export function coverageOfRoute({ histories }: Pick<FxRoute, 'histories'>): Coverage {
  return commonTo(histories.map(coverageOfPair));
}

/** The dates that a path of files was looked at on: behind the end of a file nothing is known, of another one there may be. */
export function reachOfRoute(route: Pick<FxRoute, 'histories' | 'points'>): Coverage {
  const { histories } = route;
  return fromFirstRate(route, commonTo(histories.map((history) => ({ ...coverageOfPair(history), isOpen: false }))));
}

/**
 * That there is nothing before its first rate a file says of its own series alone: the currencies were older, and a path by
 * other files may have rates.
 */
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

/**
 * The paths that decide the dates of an answer. A worse path only adds dates before and behind those of better ones; the
 * reverse of a direct pair is the same rates and adds none.
 */
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

/**
 * Do all paths rest on files of publishers? Then a date that any of them covers is covered, as it is among the publishers
 * of one pair. A path of a service is its own choice, which no other path may speak for.
 */
export function areOfFiles(routes: readonly FxRoute[]): boolean {
  return routes.every(({ histories }) => histories.every(({ series }) => series.every(isImportedSeries)));
}

/** The dates of which everything is known that the answer rests on. */
export function coverageOfRoutes(routes: readonly FxRoute[]): Coverage {
  if (areOfFiles(routes)) return coverageOfFiles(routes);
  return commonTo(usesOf(routes).map(({ route, decided }) => beside(coverageOfRoute(route), decided)));
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

/**
 * What the paths lack inside of a range, each part once; of files what the first path lacks of what no other has. `coverage` is that
 * of the paths together.
 */
export function lacksOfRoutes(routes: readonly FxRoute[], coverage: Coverage, range: Range): readonly Lack[] {
  if (isCovered(coverage, range)) return [];
  const lacks = areOfFiles(routes)
    ? lacksOfFiles(routes, range)
    : usesOf(routes).flatMap((use) => lacksOfRoute(use, range));
  return [...new Map(lacks.map((lack) => [JSON.stringify(lack), lack])).values()];
}

function lacksOfFiles(routes: readonly FxRoute[], range: Range): readonly Lack[] {
  const coverage = coverageOfFiles(routes);
  const decided = coverage.ranges;
  if (isCovered(coverage, range)) return [];
  for (const route of routes) {
    const lacks = lacksOfRoute({ route, decided }, range);
    if (lacks.length > 0) return lacks;
  }
  // Each path says of itself that there is nothing, and none that there is nothing at all.
  const pairs = routes.slice(0, 1).flatMap(({ histories }) => histories.map(({ pair }) => pair));
  return pairs.flatMap((pair) =>
    holesIn(coverage, range).map((hole) => ({ series: { ...seriesOfPair(pair), exact: true }, range: hole })),
  );
}

function lacksOfRoute({ route, decided }: Use, range: Range): readonly Lack[] {
  return route.histories.flatMap((history) => {
    const series = { ...seriesOfPair(history.pair), exact: true };
    return holesIn(beside(coverageOfPair(history), decided), range).map((hole) => ({ series, range: hole }));
  });
}

function beside({ ranges, isOpen }: Coverage, decided: readonly Range[]): Coverage {
  return coverageFrom([...ranges, ...decided], isOpen);
}

/** How many bars, newest first from a place on, follow each other without a hole; infinitely many back to the first one. */
export function barsReaching(history: Rates, coverage: Coverage): (place: number) => number {
  const { dates } = history;
  const ends = runEnds(coverage, dates);
  const oldest = dates.at(-1);
  const isFromStart = oldest !== undefined && holesIn(coverage, { from: BEGINNING, to: oldest }).length === 0;
  let counts: Int32Array | undefined;
  return (place) => {
    const end = ends[place] ?? place;
    if (end === dates.length && isFromStart) return Number.POSITIVE_INFINITY;
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
