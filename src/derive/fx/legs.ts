import type { LoadedSeries } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import { isCovered } from '../../contract/time/coverage.ts';
import { fxPlaceOf } from '../../contract/words/publishers.ts';
import { datesOf, type MergedDates, madeOf, mergeDates, numbersOf, textAt } from '../places.ts';
import { isOfPair, type Pair, rankOf } from './paths.ts';

/** One stored rate of one pair, and the series that it comes from. */
export interface FxObservation {
  readonly date: string;
  readonly val: number | null;
  /** The place of its stored row. */
  readonly text: JsonText;
  readonly series: LoadedSeries;
}

/** True for the series of a bulk file, whose rows know their date and value alone. */
export function isImportedSeries(series: LoadedSeries): boolean {
  return rankOf(series.ref.origin) > 0;
}

/** The rates of one pair, newest first, as columns: only the observations that an answer shows are made. */
export interface PairRates {
  readonly pair: Pair;
  readonly dates: readonly string[];
  /** NaN where a date has no rate. */
  readonly vals: Float64Array;
  /** Series of the pair, the best-ranked first. */
  readonly series: readonly LoadedSeries[];
  /** Which series each date is from, and its place there; left out when one series has them all. */
  readonly origins?: Pick<MergedDates, 'lists' | 'places'>;
}

/** The rates of a pair, each date once: the service first, then files; with an origin, that alone. */
export function pairRatesOf(pair: Pair, loaded: readonly LoadedSeries[], origin?: string): PairRates {
  const isOwn = ({ ref }: LoadedSeries) => isOfPair(ref, pair) && (origin === undefined || ref.origin === origin);
  const series = loaded.filter(isOwn).sort((a, b) => bySource(a.ref.origin, b.ref.origin));
  const [only, further] = series;
  if (further) return { pair, series, ...mergeByDate(series) };
  return { pair, series, dates: only ? datesOf(only) : [], vals: only ? valsOf(only) : new Float64Array() };
}

/** NaN where a date has no rate. */
function valsOf(series: LoadedSeries): Float64Array {
  return madeOf(
    series,
    'rates',
    () => numbersOf(series, 'val') ?? new Float64Array(datesOf(series).length).fill(Number.NaN),
  );
}

/** The better source first. */
function bySource(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || fxPlaceOf(a) - fxPlaceOf(b) || (a < b ? -1 : 1);
}

/** Where several series have a date, the first of them speaks, also where it covers it without a rate. */
function mergeByDate(series: readonly LoadedSeries[]): Pick<PairRates, 'dates' | 'vals' | 'origins'> {
  const columns = series.map((one) => ({ vals: valsOf(one), covers: coverOf(one) }));
  const { dates, vals, ...origins } = mergeDates(series.map(datesOf), (date, i, place) =>
    columns.slice(0, i).some(({ covers }) => covers(date)) ? undefined : columns[i]?.vals[place],
  );
  return { dates, vals, origins };
}

/** Does a series cover a date? A file says nothing about the time before its first rate. */
function coverOf(series: LoadedSeries): (date: string) => boolean {
  const coverage = { ranges: series.coverage.ranges, isOpen: false };
  const first = datesOf(series).at(-1);
  return (date) => first !== undefined && date >= first && isCovered(coverage, { from: date, to: date });
}

export function originAt({ series, origins }: PairRates, index: number) {
  const own = series[origins?.lists[index] ?? 0];
  if (!own) throw new Error('A pair has a date of no series');
  return { series: own, place: origins?.places[index] ?? index };
}

export function observationAt(rates: PairRates, index: number): FxObservation {
  const { series, place } = originAt(rates, index);
  const val = rates.vals[index] ?? Number.NaN;
  return new PlacedObservation(rates.dates[index] ?? '', Number.isNaN(val) ? null : val, { series, place });
}

/** Most rows that are made here show nothing of the stored ones: a text is read when it is shown. */
class PlacedObservation implements FxObservation {
  readonly date: string;
  readonly val: number | null;
  readonly series: LoadedSeries;
  readonly #place: number;

  constructor(date: string, val: number | null, { series, place }: ReturnType<typeof originAt>) {
    this.date = date;
    this.val = val;
    this.series = series;
    this.#place = place;
  }

  get text(): JsonText {
    return textAt(this.series, this.#place);
  }
}

/** The values that a rate follows from, one of each leg, in the order of the legs. */
export interface LegValues {
  readonly parts: readonly Pick<FxObservation, 'val'>[];
}

/** A date of the asked pair with the stored rates that it follows from, one of each leg, in the order of the legs. */
export interface FxPoint {
  readonly date: string;
  readonly parts: readonly FxObservation[];
}

/** Dates of the asked pair, newest first, and where each stands among the rates of each leg. */
export interface Points {
  readonly dates: readonly string[];
  /** Left out when the dates are those of the only leg. */
  readonly places?: readonly Int32Array[];
}

/** Dates on which every leg has a rate, newest first; a single direct leg keeps its dates without a rate as well. */
export function pointsOf(legRates: readonly PairRates[], keepEmpty: boolean): Points {
  const [first, ...others] = legRates;
  if (!first) return { dates: [] };
  if (others.length === 0 && (keepEmpty || first.vals.every(isRate))) return { dates: first.dates };
  const dates: string[] = [];
  const places = legRates.map(() => new Int32Array(first.dates.length));
  const next = new Int32Array(legRates.length);
  for (const [index, date] of first.dates.entries()) {
    next[0] = index;
    if (!legRates.every((rates, leg) => hasRate(rates, seek(rates, next, { leg, date }), date))) continue;
    for (const [leg, column] of places.entries()) column[dates.length] = next[leg] ?? 0;
    dates.push(date);
  }
  return { dates, places };
}

/** Moves the place among a leg's rates on to a date, or to the first one before it. */
function seek({ dates }: PairRates, next: Int32Array, { leg, date }: { leg: number; date: string }): number {
  let at = next[leg] ?? 0;
  while ((dates[at] ?? '') > date) at += 1;
  next[leg] = at;
  return at;
}

function hasRate({ dates, vals }: PairRates, index: number, date: string): boolean {
  return dates[index] === date && isRate(vals[index] ?? Number.NaN);
}

/** A rate that can be multiplied and divided by. */
export function isRate(val: number | null): val is number {
  return val !== null && Number.isFinite(val) && val > 0;
}
