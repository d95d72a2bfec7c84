import type { SourceRange } from '../../contract/answer-members.ts';
import type { Envelope, LoadedSeries, MissingPart, PlaceRange, SeenSeries } from '../../contract/hooks.ts';
import { type Coverage, isCovered, type Range } from '../../contract/time/coverage.ts';
import { LAST_DATE } from '../../contract/time/time.ts';
import { dayRangeWithin } from '../places.ts';
import { BARS_NEEDED, TECHNICAL_NAMES } from '../technicals/table.ts';
import { type IndicatorColumns, technicals } from '../technicals/technicals.ts';
import { type CheckedPoint, NO_TECHNICALS } from './forex-rows.ts';
import { type FxObservation, type History, historyOf, observationAt } from './legs.ts';
import { isOfPair, type Pair, reversed } from './paths.ts';
import { checkRate } from './rates.ts';
import {
  barsReaching,
  beginningsOf,
  coverageOfRoutes,
  type FxRoute,
  fxRoutes,
  missingOfRoutes,
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
  type Ways,
  type WindowFacts,
  waysOf,
} from './ways.ts';

/** The rates of a pair as a series of its own, newest first, and what is counted of its windows. */
export interface PairSeries {
  readonly pair: Pair;
  readonly routes: readonly FxRoute[];
  readonly best: FxRoute;
  readonly hasReverse: boolean;
  readonly dates: readonly string[];
  /** What it takes in memory, roughly. */
  readonly bytes: number;
  pointAt(place: number): CheckedPoint;
  rateAt(place: number): { readonly date: string; readonly rate: number | null };
  /** What the window of a question says of the series. */
  seenBy(seen: SeenSeries | undefined): PairView;
  factsOf(range: PlaceRange): PairFacts;
  /** Who speaks for the rows of a range, newest first; one entry where it is one publisher. */
  sourcesOf(range: PlaceRange): readonly SourceRange[];
  /** Indicators of at least so many of the newest rows. */
  readonly indicators: IndicatorsOf;
}

/** What is covered of a pair, as a window sees it. */
export interface PairView {
  readonly coverage: Coverage;
  missingIn(range: Range): readonly MissingPart[];
  /** Newest date; undefined where a newer one may exist. */
  readonly latest: string | undefined;
  /** The members of an answer beside its rows, by all that they follow from besides the view. */
  about(name: string, make: () => Envelope): Envelope;
}

/** What is said of a window of a pair. */
export interface PairFacts extends WindowFacts {
  /** The newest derived rates, so many as tell how many digits their legs have. */
  derived(): readonly RoutedPoint[];
}

/** Bytes of a row: its date, its value, its places and its way; and those of its indicators, where they are asked for. */
const ROW_BYTES = 48;
const INDICATOR_BYTES = 250;

/** Bytes of a pair that has no rows, with what its windows say of it. */
const PAIR_BYTES = 40_000;

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
  const rates = ratesBy(fxRoutes(pair, loaded));
  const { routes, dates } = rates;
  const [best] = routes;
  if (!best) return undefined;
  const hasDirect = best.path.method === 'direct_original_pair';
  const reverse = hasDirect ? historyOf(reversed(pair), loaded) : undefined;
  const pointAt = (place: number) => checkedAt(rates, place, reverse);
  // For a window only its own texts are loaded, so only its rows can be looked at.
  const isWhole = loaded.every(({ columns, shown }) => !columns || (shown && 'at' in shown));
  const whole = { start: 0, end: dates.length };
  let ways: Ways | undefined;
  const views = new Map<string, PairView>();
  const indicators = new Map<string, IndicatorsOf>();
  const origins = new Set(loaded.map(({ ref }) => ref.origin));
  const spans = origins.size > 1 ? sourceSpans(rates) : [];
  const ofSources = () => {
    const begins = spans.slice(0, -1).map(({ end }) => end - 1);
    const joint = growing(rates, coverageOfRoutes(routes), begins);
    if (spans.length < 2) return joint;
    const ownRows = ({ origins: of }: SourceSpan) =>
      of.size < origins.size
        ? joinPair(
            pair,
            loaded.filter(({ ref }) => of.has(ref.origin)),
            hasIndicators,
          )
        : undefined;
    return indicatorsBySource(spans, dates, { ownRows, joint });
  };
  return {
    ...{ pair, routes, best },
    hasReverse: loaded.some(({ ref }) => isOfPair(ref, reversed(pair))),
    dates,
    bytes: PAIR_BYTES + dates.length * (ROW_BYTES + (hasIndicators ? INDICATOR_BYTES : 0)),
    pointAt,
    rateAt(place) {
      const rate = rates.vals[place] ?? Number.NaN;
      return { date: dates[place] ?? '', rate: Number.isNaN(rate) ? null : rate };
    },
    seenBy(seen) {
      const name = seen?.name ?? '';
      const view = views.get(name) ?? viewOf(routes, loaded, seen);
      if (views.size >= MAX_VIEWS) views.clear();
      views.set(name, view);
      return view;
    },
    factsOf(range) {
      ways = isWhole && ways ? ways : waysOf(isWhole ? whole : range, pointAt);
      return Object.assign(ways.factsOf(range), { derived: () => newestDerived(pointAt, range) });
    },
    sourcesOf: ({ start, end }) =>
      spans.flatMap((span) => {
        const [newest, oldest] = [Math.max(start, span.start), Math.min(end, span.end) - 1];
        if (newest > oldest) return [];
        return [{ origin: span.origin, from: dates[oldest] ?? '', to: dates[newest] ?? '' }];
      }),
    indicators(names, shown) {
      if (names.length === 0) return NO_INDICATORS;
      const name = names.join(' ');
      const known = indicators.get(name) ?? ofSources();
      indicators.set(name, known);
      return known(names, shown);
    },
  };
}

/** Different windows that are kept in mind of one pair. */
const MAX_VIEWS = 32;
const MAX_ABOUTS = 32;
/** What the routes cover in a window that would know more of some series than was looked at. */
function viewOf(routes: readonly FxRoute[], loaded: readonly LoadedSeries[], seen: SeenSeries | undefined): PairView {
  const closed = new Set(loaded.filter((_, i) => seen?.isClosed(i)));
  const closing = (one: LoadedSeries) =>
    closed.has(one) ? { ...one, coverage: { ...one.coverage, isOpen: false } } : one;
  const closedRoutes = routes.map((route) => ({
    ...route,
    histories: route.histories.map((history) => ({ ...history, series: history.series.map(closing) })),
  }));
  const coverage = coverageOfRoutes(closedRoutes);
  const abouts = new Map<string, Envelope>();
  return {
    coverage,
    missingIn: (range) => missingOfRoutes(closedRoutes, coverage, range),
    latest: latestOf(routes, coverage),
    about(name, make) {
      const made = abouts.get(name) ?? make();
      // A day ends what was said on it.
      if (abouts.size >= MAX_ABOUTS) abouts.clear();
      abouts.set(name, made);
      return made;
    },
  };
}

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

const NO_INDICATORS: Indicators = {
  fields: NO_TECHNICALS.names,
  ofRow: () => NO_TECHNICALS,
  newestAt: () => ({}),
  hasWithheld: () => false,
};

/** Technicals over the whole history, newest first, for its newest rows; the window never changes a value. */
function computeIndicators(history: Rates, requested: readonly string[], look: Look): Indicators {
  const names = TECHNICAL_NAMES.filter((name) => requested.includes(name));
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
