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
import {
  isImportedSeries,
  observationAt,
  originAt,
  type PairRates,
  type Points,
  pairRatesOf,
  pointsOf,
} from './legs.ts';
import { type Pair, type Path, pairText, pathsOf, seriesOfPair } from './paths.ts';
import { type RatedPoint, rateOf } from './rates.ts';

/** A date of the asked pair with its rate and the path that it came by. */
export interface PathPoint extends RatedPoint {
  readonly path: Path;
}

/** A path that may speak, with the rates of its legs in their order. */
export interface PathRates {
  readonly path: Path;
  readonly legRates: readonly PairRates[];
  /** Dates that it offers, whatever the window. */
  readonly points: Points;
}

/** Rates of the asked pair, newest first, as columns. */
export interface Rates {
  readonly dates: readonly string[];
  /** NaN where a date has no rate. */
  readonly vals: Float64Array;
  /** All candidates; one without a chosen rate has only its first and last date. */
  readonly candidates: readonly PathRates[];
  /** A price of the bars, NaN where a date has none. A derived rate has none, because nobody observed it. */
  prices(name: string): Float64Array | undefined;
  /** Which candidate gave a rate, as a place in `candidates`, and its place among the dates of that one. */
  candidateAt(index: number): number;
  placeAt(index: number): number;
  /** The inputs of a rate, the stored rows included. */
  pointAt(index: number): PathPoint;
}

/** The paths over the loaded series that have any row, the best one first; those without rows when no series has one. */
export function pathRatesOf(target: Pair, loaded: readonly LoadedSeries[]): readonly PathRates[] {
  const legRates = new Map<string, PairRates>();
  const historyBy = (pair: Pair, origin: string | undefined) => {
    const name = `${pairText(pair)} ${origin}`;
    const rates = legRates.get(name) ?? pairRatesOf(pair, loaded, origin);
    legRates.set(name, rates);
    return rates;
  };
  // A series without a row tells that there is none only where it is covered.
  const filled = loaded.filter((series) => datesOf(series).length > 0 || series.coverage.ranges.length === 0);
  const paths = pathsOf(
    target,
    (filled.length > 0 ? filled : loaded).map(({ ref }) => ref),
  );
  return paths.map((path) => {
    const legs = path.legs.map(({ pair }) => historyBy(pair, path.origin));
    return { path, legRates: legs, points: pointsOf(legs, path.method === 'direct_original_pair') };
  });
}

/** Rates newest first, each date by the first candidate that may speak for it. */
export function ratesBy(candidates: readonly PathRates[]): Rates {
  const chosen = chooseRates(candidates);
  const used = new Set(chosen.lists);
  const only = used.size === 1 ? candidates[chosen.lists[0] ?? 0] : undefined;
  const isAll = only?.points.dates.length === chosen.dates.length;
  return ratesOf(
    candidates.map((candidate, i) => (used.has(i) ? candidate : withEndsAlone(candidate))),
    isAll ? { ...chosen, dates: only.points.dates } : chosen,
  );
}

/**
 * A path that covers a date decides it. If a service's path does not cover a date, only files may fill it, because
 * another path of the service would give another number. After the last check of a series nothing is known, whatever
 * the window.
 */
function chooseRates(candidates: readonly PathRates[]): MergedDates {
  const deciders = candidates.map((candidate) => {
    const [ofFiles, coverage] = [isOfFiles(candidate), coverageOfPath(candidate)];
    return {
      candidate,
      ofFiles,
      coverage,
      decides: ofFiles ? decidedByFiles(candidate) : { ...coverage, isOpen: false },
    };
  });
  const isDecided = (date: string, candidate: number) => {
    const day = { from: date, to: date };
    const isOfFile = deciders[candidate]?.ofFiles;
    const better = deciders.slice(0, candidate);
    return better.some(({ ofFiles, coverage, decides }) =>
      ofFiles || isOfFile ? isCovered(decides, day) : !isCovered(coverage, day),
    );
  };
  const columns = candidates.map(({ points }) => points.dates);
  return mergeDates(columns, (date, i, place) => {
    const { candidate } = deciders[i] ?? {};
    return !candidate || (i > 0 && isDecided(date, i)) ? undefined : rateAlong(candidate, place);
  });
}

/** NaN without one. */
function rateAlong({ path, legRates, points }: PathRates, index: number): number {
  const legs = legRates.map(({ vals }, leg) => vals[points.places?.[leg]?.[index] ?? index] ?? null);
  return rateOf(path, legs) ?? Number.NaN;
}

/** The remaining facts of a candidate without a chosen rate: its series, their coverage, and its first and last date. */
function withEndsAlone(candidate: PathRates): PathRates {
  const { dates } = candidate.points;
  return {
    path: candidate.path,
    legRates: candidate.legRates.map(({ pair, series }) => ({ pair, series, dates: [], vals: new Float64Array() })),
    points: { dates: [dates[0], dates.at(-1)].filter((date) => date !== undefined) },
  };
}

function ratesOf(candidates: readonly PathRates[], { dates, vals, lists: of, places }: MergedDates): Rates {
  const candidateAt = (index: number) => of[index] ?? 0;
  const placeAt = (index: number) => places[index] ?? 0;
  return {
    ...{ dates, vals, candidates, candidateAt, placeAt },
    prices(name) {
      const columns = candidates.map(({ path, legRates: [own] }) =>
        path.method === 'direct_original_pair' && own ? pricesOf(own, name) : undefined,
      );
      if (columns.every((column) => column === undefined)) return undefined;
      return Float64Array.from(dates, (_, index) => columns[candidateAt(index)]?.[placeAt(index)] ?? Number.NaN);
    },
    pointAt(index) {
      const candidate = candidates[candidateAt(index)];
      if (!candidate || index >= dates.length) throw new Error(`There is no rate ${index}`);
      const { path, legRates, points } = candidate;
      const place = placeAt(index);
      const val = vals[index] ?? Number.NaN;
      return {
        date: dates[index] ?? '',
        parts: legRates.map((rates, leg) => observationAt(rates, points.places?.[leg]?.[place] ?? place)),
        rate: Number.isNaN(val) ? null : val,
        path,
      };
    },
  };
}

function pricesOf(rates: PairRates, name: string): Float64Array | undefined {
  const columns = rates.series.map((series) => numbersOf(series, name));
  if (!rates.origins) return columns[0];
  if (columns.every((column) => column === undefined)) return undefined;
  return Float64Array.from(rates.dates, (_, index) => {
    const { series, place } = originAt(rates, index);
    return columns[rates.series.indexOf(series)]?.[place] ?? Number.NaN;
  });
}

function coverageOfPair({ series }: PairRates): Coverage {
  return unionOf(series.map(({ coverage }) => coverage));
}

/** A path needs each of its legs. */
export function coverageOfPath({ legRates }: Pick<PathRates, 'legRates'>): Coverage {
  return commonTo(legRates.map(coverageOfPair));
}

/** The dates that a path of files covers. Behind the end of a file another one may have rates. */
function decidedByFiles(candidate: Pick<PathRates, 'legRates' | 'points'>): Coverage {
  const { legRates } = candidate;
  return fromFirstRate(candidate, commonTo(legRates.map((rates) => ({ ...coverageOfPair(rates), isOpen: false }))));
}

/** A file vouches for no rate before its first one in its own series alone: other files may have earlier rates. */
function fromFirstRate({ points }: Pick<PathRates, 'points'>, coverage: Coverage): Coverage {
  const first = points.dates.at(-1);
  const ranges = first === undefined ? [] : coverage.ranges.filter(({ to }) => to >= first);
  return { ...coverage, ranges: ranges.map(({ from, to }) => ({ from: first && from < first ? first : from, to })) };
}

/** A path that an answer may use, and where it has to be known. */
interface Use {
  readonly candidate: PathRates;
  /** Dates that better paths decide: what this one says of them does not matter. */
  readonly decided: readonly Range[];
}

/** Paths that decide dates, without inner paths and the reverse of a direct pair, which add none. */
function usesOf(candidates: readonly PathRates[]): readonly Use[] {
  const [best] = candidates;
  const isDirect = best?.path.method === 'direct_original_pair';
  const used = candidates.filter(({ path }) => !(isDirect && path.method === 'inverse_of_direct_pair'));
  return used.map((candidate, i) => ({ candidate, decided: used.slice(0, i).flatMap(spanOf) }));
}

function spanOf({ points: { dates } }: PathRates): readonly Range[] {
  const [newest, oldest] = [dates[0], dates.at(-1)];
  return newest === undefined || oldest === undefined ? [] : [{ from: oldest, to: newest }];
}

/** Does a path rest on files alone? Dates that one covers are covered; a service's path speaks only for itself. */
function isOfFiles({ legRates }: Pick<PathRates, 'legRates'>): boolean {
  return legRates.every(({ series }) => series.every(isImportedSeries));
}

/** The dates of which everything is known that the answer rests on: by the service's paths, or by those of files. */
export function coverageOfPaths(candidates: readonly PathRates[]): Coverage {
  const [files, own] = [candidates.filter(isOfFiles), candidates.filter((candidate) => !isOfFiles(candidate))];
  if (own.length === 0) return coverageOfFiles(files);
  const ofService = commonTo(usesOf(own).map(({ candidate, decided }) => beside(coverageOfPath(candidate), decided)));
  return files.length === 0 ? ofService : unionOf([ofService, coverageOfFiles(files)]);
}

/** Before the first rate of all paths of files there is nothing where any of them says so. */
function coverageOfFiles(candidates: readonly PathRates[]): Coverage {
  const end = candidates.reduce(
    (latest, candidate) => (newestOf(candidate) > latest ? newestOf(candidate) : latest),
    '',
  );
  const own = candidates.map((candidate) => {
    const coverage = fromFirstRate(candidate, coverageOfPath(candidate));
    return newestOf(candidate) < end ? upTo(coverage, newestOf(candidate)) : coverage;
  });
  const { ranges, isOpen, newest } = unionOf(own);
  const first = ranges[0]?.from ?? LAST_DATE;
  const before: Coverage = { ranges: [{ from: '', to: first }], isOpen: false };
  const silent = commonTo([unionOf(candidates.map(coverageOfPath)), before]);
  return coverageFrom([...silent.ranges, ...ranges], isOpen, newest);
}

const newestOf = ({ points }: Pick<PathRates, 'points'>): string => points.dates[0] ?? '';

/** An open end is certain to the newest rate only where another path reaches further. */
function upTo(coverage: Coverage, last: string): Coverage {
  if (!coverage.isOpen) return coverage;
  const ranges = coverage.ranges.filter(({ from }) => from <= last);
  return { ranges: ranges.map(({ from, to }) => ({ from, to: to > last ? last : to })), isOpen: false };
}

/** Missing parts of the paths, each once; for files those of the first path that no other covers. */
export function missingOfPaths(
  candidates: readonly PathRates[],
  coverage: Coverage,
  range: Range,
): readonly MissingPart[] {
  if (isCovered(coverage, range)) return [];
  const [files, own] = [candidates.filter(isOfFiles), candidates.filter((candidate) => !isOfFiles(candidate))];
  const decided = own.length === 0 || files.length === 0 ? [] : coverageOfFiles(files).ranges;
  const missingParts =
    own.length === 0
      ? missingOfFiles(files, range)
      : usesOf(own).flatMap((use) => missingOfPath({ ...use, decided: [...use.decided, ...decided] }, range));
  return [...new Map(missingParts.map((missingPart) => [JSON.stringify(missingPart), missingPart])).values()];
}

function missingOfFiles(candidates: readonly PathRates[], range: Range): readonly MissingPart[] {
  const coverage = coverageOfFiles(candidates);
  const decided = coverage.ranges;
  if (isCovered(coverage, range)) return [];
  for (const candidate of candidates) {
    const missingParts = missingOfPath({ candidate, decided }, range);
    if (missingParts.length > 0) return missingParts;
  }
  // Each path says of itself that there is nothing, and none that there is nothing at all.
  const pairs = candidates.slice(0, 1).flatMap(({ legRates }) => legRates.map(({ pair }) => pair));
  return pairs.flatMap((pair) =>
    missingRangesIn(coverage, range).map((missingRange) => ({
      series: { ...seriesOfPair(pair), exact: true },
      range: missingRange,
    })),
  );
}

function missingOfPath({ candidate, decided }: Use, range: Range): readonly MissingPart[] {
  return candidate.legRates.flatMap((rates) => {
    const series = { ...seriesOfPair(rates.pair), exact: true };
    return missingRangesIn(beside(coverageOfPair(rates), decided), range).map((missingRange) => ({
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

/** Bars in a row without a missing date, newest first; infinitely many back to the first or to a new beginning. */
export function barsReaching(
  rates: Rates,
  coverage: Coverage,
  beginnings: readonly number[],
): (place: number) => number {
  const { dates } = rates;
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
    counts ??= barsToOldest(rates);
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
