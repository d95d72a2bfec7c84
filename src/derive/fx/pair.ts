import type { SourceRange } from '../../contract/answer-members.ts';
import type { Envelope, LoadedSeries, PlaceRange } from '../../contract/hooks.ts';
import { asJsonText, type JsonText } from '../../contract/json/json.ts';
import { type Coverage, isCovered } from '../../contract/time/coverage.ts';
import { LAST_DATE } from '../../contract/time/time.ts';
import { dayRangeWithin } from '../places.ts';
import { BARS_NEEDED, TECHNICAL_NAMES } from '../technicals/table.ts';
import { type IndicatorColumns, technicals } from '../technicals/technicals.ts';
import { type CheckedPoint, endText, isWhollyMade, NO_TECHNICALS, tailText } from './forex-rows.ts';
import { type FxObservation, type History, historyOf, observationAt } from './legs.ts';
import { isOfPair, type Pair, type Path, reversed } from './paths.ts';
import { type Consistency, checkRate } from './rates.ts';
import {
  barsReaching,
  beginningsOf,
  coverageOfRoutes,
  type FxRoute,
  fxRoutes,
  type Rates,
  type RoutedPoint,
  ratesBy,
} from './routes.ts';
import {
  type Indicators,
  type IndicatorsOf,
  indicatorsBySource,
  type SourceSpan,
  sourceSpans,
} from './source-spans.ts';

/** The rates of a pair as a series of its own, newest first, and what is counted of its windows. */
export interface PairSeries {
  readonly pair: Pair;
  readonly routes: readonly FxRoute[];
  readonly best: FxRoute;
  readonly hasDirect: boolean;
  readonly hasReverse: boolean;
  readonly dates: readonly string[];
  /** NaN where a date has no rate. */
  readonly vals: Float64Array;
  readonly coverage: Coverage;
  /** Newest date; undefined where a newer one may exist. */
  readonly latest: string | undefined;
  /** What it takes in memory, roughly. */
  readonly bytes: number;
  pointAt(place: number): CheckedPoint;
  rateAt(place: number): { readonly date: string; readonly rate: number | null };
  /** The members of an answer beside its rows, by all that they follow from. */
  about(name: string, make: () => Envelope): Envelope;
  factsOf(range: PlaceRange): WindowFacts;
  /** Who speaks for the rows of a range, newest first; one entry where it is one publisher. */
  sourcesOf(range: PlaceRange): readonly SourceRange[];
  /** Indicators of at least so many of the newest rows. */
  readonly indicators: IndicatorsOf;
}

/** What is said of all rows of a window together. */
export interface WindowFacts {
  readonly rows: number;
  /** All of them are made here, of nothing but dates and values. */
  readonly areMade: boolean;
  /** Where the value of such a row comes from, and the end of its text. */
  tailAt(place: number): JsonText;
  endAt(place: number): string;
  /** Equal in windows whose rows came by the same paths in the same order, from the same series, and passed the same checks. */
  readonly name: string;
  /** How many rows came by each path, that of the newest row first. */
  readonly paths: ReadonlyMap<Path, number>;
  readonly series: ReadonlySet<LoadedSeries>;
  /** The check of all these series; not applicable without any. */
  readonly check: Consistency;
  /** The newest derived rates, so many as tell how many digits their legs have. */
  derived(): readonly RoutedPoint[];
}

/** Bytes of a row: its date, its value, its places and counts; and those of its indicators, where they are asked for. */
const ROW_BYTES = 160;
const INDICATOR_BYTES = 250;

/** Newest rates that tell how many digits a leg has. */
const MAX_DERIVED = 60;

/** How many of the newest rows are shown, and what is covered of the history. */
interface Look {
  readonly shown: number;
  readonly coverage: Coverage;
  /** Places of the last rows behind a change of publisher: no indicator runs over rows of two. */
  readonly seams: readonly number[];
}

/** Columns that the indicators read of a row beside its value. */
export const BAR_PRICES = ['high', 'low', 'close'] as const;

/** Undefined where nothing that is loaded gives the pair. */
export function joinPair(pair: Pair, loaded: readonly LoadedSeries[], hasIndicators = false): PairSeries | undefined {
  const routes = fxRoutes(pair, loaded);
  const [best] = routes;
  if (!best) return undefined;
  const hasDirect = best.path.method === 'direct_original_pair';
  const reverse = hasDirect ? historyOf(reversed(pair), loaded) : undefined;
  const rates = ratesBy(routes, '', LAST_DATE);
  const coverage = coverageOfRoutes(routes);
  const pointAt = (place: number) => checkedAt(rates, place, reverse);
  // For a window only its own texts are loaded, so only its rows can be looked at.
  const isWhole = loaded.every(({ columns, shown }) => !columns || (shown && 'at' in shown));
  const whole = { start: 0, end: rates.dates.length };
  let sums: WindowSums | undefined;
  const abouts = new Map<string, Envelope>();
  const rateAt = (at: number) => {
    const rate = rates.vals[at] ?? Number.NaN;
    return { date: rates.dates[at] ?? '', rate: Number.isNaN(rate) ? null : rate };
  };
  const indicators = new Map<string, IndicatorsOf>();
  const origins = new Set(loaded.map(({ ref }) => ref.origin));
  const spans = origins.size > 1 ? sourceSpans(rates) : [];
  const ofSources = () => {
    const begins = spans.slice(0, -1).map(({ end }) => end - 1);
    const joint = growing(rates, coverage, begins);
    if (spans.length < 2) return joint;
    const ownRows = ({ origins: of }: SourceSpan) =>
      of.size < origins.size
        ? joinPair(
            pair,
            loaded.filter(({ ref }) => of.has(ref.origin)),
            hasIndicators,
          )
        : undefined;
    return indicatorsBySource(spans, rates.dates, { ownRows, joint });
  };
  return {
    pair,
    routes,
    best,
    hasDirect,
    hasReverse: loaded.some(({ ref }) => isOfPair(ref, reversed(pair))),
    dates: rates.dates,
    vals: rates.vals,
    coverage,
    latest: latestOf(routes, coverage),
    bytes: rates.dates.length * (ROW_BYTES + (hasIndicators ? INDICATOR_BYTES : 0)),
    pointAt,
    rateAt,
    about(name, make) {
      const made = abouts.get(name) ?? make();
      // A day ends what was said on it.
      if (abouts.size >= MAX_ABOUTS) abouts.clear();
      abouts.set(name, made);
      return made;
    },
    factsOf(range) {
      sums = isWhole && sums ? sums : sumsOf(pointAt, { routes, loaded, range: isWhole ? whole : range });
      return Object.assign(sums.of(range), { derived: () => newestDerived(pointAt, range) });
    },
    sourcesOf: ({ start, end }) =>
      spans.flatMap((span) => {
        const [newest, oldest] = [Math.max(start, span.start), Math.min(end, span.end) - 1];
        if (newest > oldest) return [];
        return [{ origin: span.origin, from: rates.dates[oldest] ?? '', to: rates.dates[newest] ?? '' }];
      }),
    indicators(names, shown) {
      const name = names.join(' ');
      const known = indicators.get(name) ?? ofSources();
      indicators.set(name, known);
      return known(names, shown);
    },
  };
}

/** Different windows that are kept in mind of one pair. */
const MAX_ABOUTS = 64;

function checkedAt(rates: Rates, place: number, reverse: History | undefined): CheckedPoint {
  const point = rates.pointAt(place);
  const back = reverse && observationOn(reverse, point.date);
  const { date, parts, rate, path } = point;
  return { date, parts, rate, path, check: checkRate(path, point, rate, back) };
}

function observationOn(history: History, date: string): FxObservation | undefined {
  const { start, end } = dayRangeWithin(history.dates, date, date);
  return end > start ? observationAt(history, start) : undefined;
}

/** Newest date of the pair; undefined where a newer one may exist. */
function latestOf(routes: readonly FxRoute[], coverage: Coverage): string | undefined {
  const newest = routes.reduce<string | undefined>((newest, { points }) => {
    const [first] = points.dates;
    return first !== undefined && (newest === undefined || first > newest) ? first : newest;
  }, undefined);
  return newest !== undefined && isCovered(coverage, { from: newest, to: LAST_DATE }) ? newest : undefined;
}

/** A question of the newest rows works out no others; one that goes further back works out all. */
function growing(rates: Rates, coverage: Coverage, seams: readonly number[]): IndicatorsOf {
  const most = rates.dates.length;
  let reach = 0;
  let computed: Indicators | undefined;
  return (names, shown) => {
    const count = Math.min(shown, most);
    if (computed && count <= reach) return computed;
    reach = computed ? most : count;
    computed = computeIndicators(rates, names, { shown: reach, coverage, seams });
    return computed;
  };
}

function newestDerived(pointAt: PairSeries['pointAt'], { start, end }: PlaceRange): readonly RoutedPoint[] {
  const derived: RoutedPoint[] = [];
  for (let place = start; place < end && derived.length < MAX_DERIVED; place += 1) {
    const point = pointAt(place);
    if (point.path.method !== 'direct_original_pair') derived.push(point);
  }
  return derived;
}

interface WindowSums {
  of(range: PlaceRange): Omit<WindowFacts, 'derived'>;
}

/** Running sums over the rows of a range: what a window in it counts is a difference of two of them. */
function sumsOf(
  pointAt: PairSeries['pointAt'],
  {
    routes,
    loaded,
    range: { start, end },
  }: { readonly routes: readonly FxRoute[]; readonly loaded: readonly LoadedSeries[]; readonly range: PlaceRange },
): WindowSums {
  const sums = <K>(keys: readonly K[]) => new Map(keys.map((key) => [key, new Int32Array(end - start + 1)] as const));
  const paths = sums(routes.map(({ path }) => path));
  const series = sums(loaded);
  const places = new Map(routes.map(({ path }, place) => [path, place]));
  const checks = sums<Consistency | 'stored'>(['passed', 'failed', 'stored']);
  const all = [...paths.values(), ...series.values(), ...checks.values()];
  const add = (sum: Int32Array | undefined, at: number) => {
    if (sum) sum[at] = (sum[at] ?? 0) + 1;
  };
  const tails = tailsOf(end - start + 1);
  for (let at = 1; at <= end - start; at += 1) {
    for (const sum of all) sum[at] = sum[at - 1] ?? 0;
    const point = pointAt(start + at - 1);
    add(paths.get(point.path), at);
    for (const one of new Set(point.parts.map(({ series: from }) => from))) add(series.get(one), at);
    add(checks.get(point.check), at);
    if (isWhollyMade(point)) tails.note(at, point);
    else add(checks.get('stored'), at);
  }
  return {
    of(range) {
      const [from, to] = [range.start - start, range.end - start];
      const countIn = (sum: Int32Array | undefined) => (sum?.[to] ?? 0) - (sum?.[from] ?? 0);
      const pathsUsed = () => {
        const used = [...paths].filter(([, sum]) => countIn(sum) > 0);
        return used.sort(([, a], [, b]) => firstAbove(a, { from, to }) - firstAbove(b, { from, to }));
      };
      const check: Consistency =
        countIn(checks.get('failed')) > 0 ? 'failed' : countIn(checks.get('passed')) > 0 ? 'passed' : 'not_applicable';
      return {
        rows: to - from,
        areMade: countIn(checks.get('stored')) === 0,
        tailAt: (place) => tails.at(place - start + 1),
        endAt: (place) => tails.endAt(place - start + 1),
        get paths() {
          return new Map(pathsUsed().map(([path, sum]) => [path, countIn(sum)]));
        },
        get series() {
          return new Set([...series].flatMap(([one, sum]) => (countIn(sum) > 0 ? [one] : [])));
        },
        check,
        get name() {
          let name: string = check;
          // The order of paths tells only where there are several.
          if (places.size > 1) for (const [path] of pathsUsed()) name += ` ${places.get(path)}`;
          else name += to > from ? ' 0' : '';
          for (const sum of series.values()) name += countIn(sum) > 0 ? '1' : '0';
          return name;
        },
      };
    },
  };
}

/** Few rows in a row come by other ways: what these say of themselves is made once. */
function tailsOf(length: number) {
  const texts: JsonText[] = [];
  const ends: string[] = [];
  const places = new Int32Array(length);
  let last: CheckedPoint | undefined;
  const isAsLast = ({ path, check, parts }: CheckedPoint) =>
    last?.path === path && last.check === check && parts.every(({ series }, i) => series === last?.parts[i]?.series);
  return {
    note(at: number, point: CheckedPoint) {
      if (!isAsLast(point)) {
        const text = tailText(point);
        texts.push(text);
        ends.push(endText(text));
      }
      last = point;
      places[at] = texts.length - 1;
    },
    at: (at: number) => texts[places[at] ?? 0] ?? asJsonText('null'),
    endAt: (at: number) => ends[places[at] ?? 0] ?? endText(asJsonText('null')),
  };
}

/** The first place behind `from` at which a sum has grown. */
function firstAbove(sum: Int32Array, { from, to }: { readonly from: number; readonly to: number }): number {
  const before = sum[from] ?? 0;
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sum[middle] ?? 0) > before) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Technicals over the whole history, newest first, for its newest rows; the window never changes a value. */
function computeIndicators(history: Rates, requested: readonly string[], look: Look): Indicators {
  const names = TECHNICAL_NAMES.filter((name) => requested.includes(name));
  if (names.length === 0)
    return {
      fields: NO_TECHNICALS.names,
      ofRow: () => NO_TECHNICALS,
      newestAt: () => ({}),
      hasWithheld: () => false,
    };
  const { shown, coverage, seams } = look;
  const last = history.dates.length - 1;
  const [highs, lows, closes] = BAR_PRICES.map((name) => history.prices(name)?.toReversed());
  const begins = [...new Set([...beginningsOf(history.dates), ...seams])].sort((a, b) => a - b);
  const beginnings = begins.map((place) => last - place).toReversed();
  const columns = { vals: history.vals.toReversed(), highs, lows, closes, beginnings };
  const first = Math.max(0, history.dates.length - shown);
  const computed = technicals(columns, names, first);
  const reaching = barsReaching(history, coverage, begins);
  const withheld = withholdUncovered(
    computed.columns,
    { last, first, round: computed.rowNumbers(last).round },
    reaching,
  );
  return {
    fields: computed.fields,
    hasWithheld: ({ start, end }) => (withheld[end] ?? 0) > (withheld[start] ?? 0),
    ofRow(place) {
      const { columns, row } = computed.rowNumbers(last - place);
      return { names: computed.fields, columns, row, round: asItIs };
    },
    newestAt: (place) => computed.indicatorsAt(place === undefined ? -1 : last - place),
  };
}

const asItIs = (value: number): number => value;

/** Removes values whose bars are not all covered, those before the first stored one included, and counts such rows. */
function withholdUncovered(
  columns: IndicatorColumns,
  { last, first, round }: { readonly last: number; readonly first: number; readonly round: (value: number) => number },
  reaching: (place: number) => number,
): Int32Array {
  const rows = last - first + 1;
  const reached = new Float64Array(rows);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i += 1) {
    reached[i] = reaching(last - first - i);
    least = Math.min(least, reached[i] ?? 0);
  }
  const withheld = new Int32Array(rows + 1);
  for (const [field, needed] of Object.entries(BARS_NEEDED)) {
    const values = columns[field];
    if (!values || least >= needed) continue;
    for (let i = 0; i < values.length; i += 1) {
      if ((reached[i] ?? 0) >= needed) continue;
      values[i] = Number.NaN;
      withheld[rows - i] = 1;
    }
  }
  // Each value is shown on many pages: it is rounded once.
  for (const values of Object.values(columns))
    for (const [i, value] of values?.entries() ?? []) if (values) values[i] = round(value);
  for (let place = 1; place <= rows; place += 1) withheld[place] = (withheld[place] ?? 0) + (withheld[place - 1] ?? 0);
  return withheld;
}
