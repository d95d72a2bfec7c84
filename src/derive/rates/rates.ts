import type { Envelope, LoadedSeries, StoredRef } from '../../contract/hooks.ts';
import { type JsonText, parseObject } from '../../contract/json/json.ts';
import { isTimedByRule, marksOf, mixedQuality } from '../../coverage/data-quality.ts';
import { byOrigin, isBaseSeries } from '../announcements/series.ts';
import { type Decimal, decimalOf, divide, multiply, roundHalfEven, subtract, toNumber } from '../decimal.ts';
import { datesOf, dayRangeWithin, placesOf, textAt, valuesOf } from '../places.ts';

/** A value of a maturity, and the row in which the service itself listed it as a node, if it did. */
export interface NodeObservation extends MarketObservation {
  readonly listed?: JsonText;
}

/** The observations of one maturity, newest first. */
export interface NodeLine {
  readonly maturity: Maturity;
  readonly observations: readonly NodeObservation[];
}
/** A point of a curve. */
export interface Maturity {
  /** `10Y`, `3M`. */
  readonly label: string;
  readonly years: number;
}

const SLUG = /^gov_bond_(\d+(?:_\d+)?)([my])$/;
const LABEL = /^(\d+(?:\.\d+)?)([MY])$/i;

/** One value of a series as it was known at the moment of the question. */
export interface MarketObservation {
  readonly date: string;
  readonly val: number;
  /** Release time, Unix seconds. */
  readonly release: number | undefined;
  readonly series: LoadedSeries;
  /** The place of its row in the series. */
  readonly place: number;
}

/** Columns that observations are made of. */
export const MARKET_COLUMNS = ['date', 'val', 'announcement_datetime'] as const;

/** Which observations a question wants. */
export interface ObservedMoment {
  /** First and last date, both included. */
  readonly from: string;
  readonly to: string;
  /** Unix seconds: the moment of the past that the rows are of. */
  readonly asOf: number | undefined;
}

/** Decimals of computed spreads, slopes and forwards, and of their basis points. See docs/interface.md#numbers. */
const DIGITS = 6;
const DIGITS_OF_BASIS_POINTS = 4;

const ONE: Decimal = { units: 1n, scale: 0 };
const HUNDRED: Decimal = { units: 100n, scale: 0 };

/** A difference of two rates. */
export interface Spread {
  /** Percentage points, 6 decimals. */
  readonly points: number;
  /** Basis points, 4 decimals. */
  readonly bps: number;
}

/** Days after which a daily rate counts as stale. See docs/interface.md#data-quality. */
const STALE_AFTER = 7;

interface RateQuality {
  /** The series that gave values. */
  readonly series: readonly LoadedSeries[];
  readonly sources: readonly string[];
  readonly derived: boolean;
  readonly rows: number;
  /** Rows whose release time is known; undefined where nobody can tell of how many it is. */
  readonly timed: number | undefined;
  /** Undefined without a row, and where a newer one may exist. */
  readonly latest: string | undefined;
  /** Date that the answer speaks of. */
  readonly today: string;
  /** False for rates without a fixed cadence: they are never stale. */
  readonly ages: boolean;
}

/** True for a series that can give nodes of a curve: yields of one maturity, or the service's own nodes. */
export function givesNodes(ref: StoredRef): boolean {
  if (ref.endpoint === 'curves') return true;
  return (
    ref.endpoint === 'announcements' && isBaseSeries(ref) && maturityOfSlug(ref.scope.indicator ?? '') !== undefined
  );
}

/** The maturities of one currency, shortest first, from its yields and from the nodes that the service listed. */
export function nodeLines(loaded: readonly LoadedSeries[], moment: ObservedMoment): readonly NodeLine[] {
  const parts = [...loaded]
    .filter(({ ref }) => givesNodes(ref))
    .sort((a, b) => byOrigin(a, b) || (a.ref.endpoint < b.ref.endpoint ? -1 : 1))
    .flatMap((series) =>
      series.ref.endpoint === 'curves' ? listedLines(series, moment) : [yieldLine(series, moment)],
    );
  return [...Map.groupBy(parts, ({ maturity }) => maturity.label).values()]
    .flatMap((same) => (same[0] ? [{ maturity: same[0].maturity, observations: merge(same, moment) }] : []))
    .sort((a, b) => byYears(a.maturity, b.maturity));
}

interface Part extends NodeLine {
  readonly series: LoadedSeries;
}

function yieldLine(series: LoadedSeries, moment: ObservedMoment): Part {
  const maturity = maturityOfSlug(series.ref.scope.indicator ?? '');
  if (!maturity) throw new RangeError(`${series.ref.scope.indicator} is no yield`);
  return { series, maturity, observations: observeMarket(series, moment) };
}

function listedLines(series: LoadedSeries, moment: ObservedMoment): readonly Part[] {
  const labels = valuesOf(series, 'maturity');
  const examples = new Map(labels.map((label, place) => [String(label), place]));
  return [...examples].flatMap(([label, example]) => {
    const maturity = maturityOfLabel(label) ?? maturityOfRow(label, textAt(series, example));
    if (!maturity) return [];
    const own = observeMarket(series, moment, (place) => labels[place] === label);
    return [{ series, maturity, observations: own.map((one) => ({ ...one, listed: textAt(series, one.place) })) }];
  });
}

/** A label that we cannot read still has its years beside it. */
function maturityOfRow(label: string, row: JsonText): Maturity | undefined {
  const { maturity_years: years } = parseObject(row);
  return typeof years === 'number' ? { label, years } : undefined;
}

/** Observations of a maturity: where yield and node differ, the newer check decides, in the past the yield. */
function merge(parts: readonly Part[], { asOf }: ObservedMoment): readonly NodeObservation[] {
  const ranked = asOf === undefined ? [...parts].sort((a, b) => confirmedAt(b.series) - confirmedAt(a.series)) : parts;
  const listed = new Map(
    parts.flatMap(({ observations }) => observations.flatMap((one) => (one.listed ? [[one.date, one] as const] : []))),
  );
  return mergeByDate<NodeObservation>(ranked.map(({ observations }) => observations)).map((one) => {
    const twin = listed.get(one.date);
    return twin?.listed && twin.val === one.val ? { ...one, listed: twin.listed } : one;
  });
}

/** The maturity that an indicator is the yield of; undefined for any other indicator. `gov_bond_1_5m` is `1.5M`. */
export function maturityOfSlug(slug: string): Maturity | undefined {
  const [, size, unit] = SLUG.exec(slug) ?? [];
  return size === undefined || unit === undefined ? undefined : maturity(Number(size.replace('_', '.')), unit);
}

export function maturityOfLabel(label: string): Maturity | undefined {
  const [, size, unit] = LABEL.exec(label) ?? [];
  return size === undefined || unit === undefined ? undefined : maturity(Number(size), unit);
}

/** The maturity of a tenor in years: whole months below a year, years from there on. */
export function maturityOfYears(years: number): Maturity {
  const months = Math.round(years * 120) / 10;
  return years < 1 && Math.abs(months - years * 12) < 0.01 ? maturity(months, 'M') : maturity(years, 'Y');
}

function maturity(size: number, unit: string): Maturity {
  const word = unit.toUpperCase();
  return { label: `${size}${word}`, years: word === 'M' ? size / 12 : size };
}

export function slugOfMaturity({ label }: Maturity): string {
  return `gov_bond_${label.toLowerCase().replace('.', '_')}`;
}

export const byYears = (a: Maturity, b: Maturity): number => a.years - b.years;

/** The values of the rows inside the window, in the order of the rows. Rows without a value are none. */
export function observeMarket(
  series: LoadedSeries,
  moment: ObservedMoment,
  isWanted: (place: number) => boolean = () => true,
): readonly MarketObservation[] {
  const [dates = [], values = [], releases = []] = MARKET_COLUMNS.map((name) => valuesOf(series, name));
  const found: MarketObservation[] = [];
  const { start, end } = series.range ? dayRangeWithin(datesOf(series), moment.from, moment.to) : placesOf(series);
  for (let place = start; place < end; place += 1) {
    const date = String(dates[place]);
    const [val, release] = [values[place], releases[place]];
    if (date < moment.from || date > moment.to || typeof val !== 'number' || !isWanted(place)) continue;
    found.push({ date, val, release: typeof release === 'number' ? release : undefined, series, place });
  }
  return found;
}

/** One list, newest first, each date once: where several lists have a date, the first of them speaks. */
export function mergeByDate<T extends { readonly date: string }>(lists: readonly (readonly T[])[]): readonly T[] {
  const [only, second] = lists;
  if (second === undefined) return only ?? [];
  const byDate = new Map<string, T>();
  for (const list of lists) for (const one of list) if (!byDate.has(one.date)) byDate.set(one.date, one);
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? 1 : -1));
}

/** Who published an observation, as its row says, else as its series does. */
export function marketSource({ series, place }: MarketObservation, row = textAt(series, place)): string | undefined {
  const { source: stated } = parseObject(row);
  for (const source of [stated, series.envelope.source]) if (typeof source === 'string' && source !== '') return source;
  return undefined;
}

/** When the service last confirmed a series. An importer's file is confirmed when it is read, however old it is. */
export function confirmedAt({ ref }: LoadedSeries): number {
  return ref.origin.startsWith('import:') ? 0 : (ref.checkedAt ?? 0);
}

/** Each of the texts once, in order, without undefined. */
export function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}

/** The exact difference of two rates in per cent, each rounded once, half to even. */
export function spreadOf(value: number, less: number): Spread {
  const [a, b] = [decimalOf(value), decimalOf(less)];
  if (!a || !b) return { points: Number.NaN, bps: Number.NaN };
  const exact = subtract(a, b);
  return {
    points: plain(divide(exact, ONE, DIGITS)),
    bps: plain(divide(multiply(exact, HUNDRED), ONE, DIGITS_OF_BASIS_POINTS)),
  };
}

export function basisPoints(rate: number): number {
  return spreadOf(rate, 0).bps;
}

interface SpotRate {
  /** Per cent. */
  readonly val: number;
  readonly years: number;
}

/** Forward rate in per cent, 6 decimals; undefined for -100 % or less. See docs/interface-endpoints.md#curves. */
export function forwardRate(start: SpotRate, end: SpotRate): number | undefined {
  const [from, to] = [1 + start.val / 100, 1 + end.val / 100];
  if (!(from > 0) || !(to > 0) || !(end.years > start.years)) return undefined;
  const growth = to ** end.years / from ** start.years;
  return roundHalfEven((growth ** (1 / (end.years - start.years)) - 1) * 100, DIGITS);
}

function plain(value: Decimal): number {
  return toNumber(value) + 0;
}

/** `data_quality` of an answer made of rates of several series. */
export function rateQuality({ series, sources, latest, today, ages, rows, timed, derived }: RateQuality): Envelope {
  const envelopes = series.map(({ envelope }) => envelope);
  const assumed = envelopes.filter(isTimedByRule);
  return marksOf({
    about: mixedQuality(envelopes, sources),
    counts: {
      ...(assumed.length > 0 && {
        has_assumed_release_times: true,
        assumed_release_time_count: assumed.length === series.length ? rows : undefined,
      }),
      has_announcement_datetime: timed === undefined ? undefined : timed > 0,
      row_count: rows,
      announcement_datetime_count: timed,
      missing_announcement_datetime_count: timed === undefined ? undefined : rows - timed,
    },
    isDerived: derived,
    staleAfter: ages ? STALE_AFTER : 'never',
    latest,
    today,
  });
}
