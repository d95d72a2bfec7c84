import type { SourceRange } from '../../contract/answer-members.ts';
import { type RowSums, rowSumsOf } from '../../contract/content-sum.ts';
import type { LoadedSeries, MakeColumn, MissingPart, PlaceRange, SeenSeries } from '../../contract/hooks.ts';
import { type Coverage, isCovered, type Range } from '../../contract/time/coverage.ts';
import { LAST_DATE } from '../../contract/time/time.ts';
import { dayRangeWithin } from '../places.ts';
import { BARS_NEEDED, TECHNICAL_NAMES } from '../technicals/table.ts';
import { type IndicatorColumns, technicals } from '../technicals/technicals.ts';
import {
  derivationsOf,
  type Indicators,
  type IndicatorsOf,
  indicatorsBySource,
  type SourceSpan,
  sourceSpans,
  type WindowFacts,
} from './derivations.ts';
import { type CheckedPoint, NO_TECHNICALS } from './forex-rows.ts';
import { type FxObservation, observationAt, type PairRates, pairRatesOf } from './legs.ts';
import {
  barsReaching,
  beginningsOf,
  coverageOfPaths,
  missingOfPaths,
  type PathPoint,
  type PathRates,
  pathRatesOf,
  type Rates,
  ratesBy,
} from './path-rates.ts';
import { isOfPair, type Pair, reversed } from './paths.ts';
import { checkRate } from './rates.ts';

/** The rates of a pair as a series of its own, newest first, with counts for windows. */
export interface PairSeries {
  readonly pair: Pair;
  readonly candidates: readonly PathRates[];
  readonly best: PathRates;
  readonly hasReverse: boolean;
  readonly dates: readonly string[];
  /** NaN where a date has no rate. */
  readonly vals: Float64Array;
  /** Estimated memory of the series. */
  readonly bytes: number;
  readonly column: MakeColumn;
  pointAt(place: number): CheckedPoint;
  /** The coverage of the series for the window of a question. */
  seenBy(seen: SeenSeries): PairView;
  factsOf(range: PlaceRange): WindowFacts;
  /** The newest derived rates of a range, so many as tell how many digits their legs have. */
  derivedIn(range: PlaceRange): readonly PathPoint[];
  /** Who speaks for the rows of a range, newest first; one entry where it is one publisher. */
  sourcesOf(range: PlaceRange): readonly SourceRange[];
  /** Indicators of at least so many of the newest rows. */
  readonly indicators: IndicatorsOf;
  /** By dates and prices, which its rows and their indicators follow from. */
  readonly sumOf: RowSums;
}

/** The coverage of a pair, as a window sees it. */
interface PairView {
  readonly coverage: Coverage;
  missingIn(range: Range): readonly MissingPart[];
  /** Newest date; undefined where a newer one may exist. */
  readonly latest: string | undefined;
}

/** Bytes of a row: its date, its value and its places. */
const ROW_BYTES = 48;

/** Bytes of a pair that has no rows. */
const PAIR_BYTES = 20_000;

/** Newest rates that tell how many digits a leg has. */
const MAX_DERIVED = 60;

/** Columns that the indicators read of a row beside its value. */
export const BAR_PRICES = ['high', 'low', 'close'] as const;

/** Undefined where nothing that is loaded gives the pair. */
export function joinPair(pair: Pair, loaded: readonly LoadedSeries[], column: MakeColumn): PairSeries | undefined {
  const rates = ratesBy(pathRatesOf(pair, loaded));
  const { candidates, dates, vals } = rates;
  const [best] = candidates;
  if (!best) return undefined;
  const hasDirect = best.path.method === 'direct_original_pair';
  const reverse = hasDirect ? pairRatesOf(reversed(pair), loaded) : undefined;
  const pointAt = (place: number) => checkedAt(rates, place, reverse);
  // For a window only its own texts are loaded, so only its rows can be looked at.
  const isWhole = loaded.every(({ columns, shown }) => !columns || (shown && 'at' in shown));
  const whole = { start: 0, end: dates.length };
  const origins = new Set(loaded.map(({ ref }) => ref.origin));
  const spans = origins.size > 1 ? sourceSpans(rates) : [];
  const seams = spans.slice(0, -1).map(({ end }) => end - 1);
  const ownRows = ({ origin, origins: of }: SourceSpan) =>
    joinPair(
      pair,
      loaded.filter(({ ref }) => of.has(ref.origin)),
      (name, make) => column(`${origin}: ${name}`, make),
    );
  const joint: IndicatorsOf = (names, shown) => {
    // A question about the newest rows computes only those; a question that goes further back computes all.
    const reach = shown <= NEWEST ? Math.min(NEWEST, dates.length) : dates.length;
    return column(`indicators ${names} of ${reach}`, () =>
      computeIndicators(rates, names, { shown: reach, coverage: coverageOfPaths(candidates), seams }),
    );
  };
  return {
    ...{ pair, candidates, best, dates, vals, column, pointAt },
    hasReverse: loaded.some(({ ref }) => isOfPair(ref, reversed(pair))),
    bytes: PAIR_BYTES + dates.length * ROW_BYTES,
    seenBy: (seen) => column(`seen ${seen.name}`, () => viewOf(candidates, loaded, seen)),
    factsOf: (range) =>
      (isWhole ? column('derivations', () => derivationsOf(whole, pointAt)) : derivationsOf(range, pointAt)).factsOf(
        range,
      ),
    derivedIn({ start, end }) {
      const derived: PathPoint[] = [];
      for (let place = start; place < end && derived.length < MAX_DERIVED; place += 1) {
        const point = pointAt(place);
        if (point.path.method !== 'direct_original_pair') derived.push(point);
      }
      return derived;
    },
    sourcesOf: ({ start, end }) =>
      spans.flatMap((span) => {
        const [newest, oldest] = [Math.max(start, span.start), Math.min(end, span.end) - 1];
        if (newest > oldest) return [];
        return [{ origin: span.origin, from: dates[oldest] ?? '', to: dates[newest] ?? '' }];
      }),
    sumOf: (range) =>
      column('sums', () => {
        const numbers = [vals, ...BAR_PRICES.flatMap((name) => rates.prices(name) ?? [])];
        return rowSumsOf(dates.length, (sum, place) => {
          sum.add(dates[place] ?? '');
          for (const values of numbers) sum.addNumber(values[place] ?? Number.NaN);
        });
      })(range),
    indicators(names, shown) {
      if (names.length === 0) return NO_INDICATORS;
      if (spans.length < 2) return joint(names, shown);
      const ofSource = (span: SourceSpan) => (span.origins.size < origins.size ? ownRows(span) : undefined);
      return indicatorsBySource(spans, dates, { ownRows: ofSource, joint })(names, shown);
    },
  };
}

/** Rows that a page of the newest ones ends with. */
const NEWEST = 100;

/** The coverage of the candidates for a window. Series that the window needs after their last check are closed. */
function viewOf(candidates: readonly PathRates[], loaded: readonly LoadedSeries[], seen: SeenSeries): PairView {
  const closed = new Map(loaded.map((one, i) => [one, seen.closedAt(i)]));
  const closing = (one: LoadedSeries) => {
    const coverage = closed.get(one);
    return coverage ? { ...one, coverage } : one;
  };
  const closedCandidates = candidates.map((candidate) => ({
    ...candidate,
    legRates: candidate.legRates.map((rates) => ({ ...rates, series: rates.series.map(closing) })),
  }));
  const coverage = coverageOfPaths(closedCandidates);
  return {
    coverage,
    missingIn: (range) => missingOfPaths(closedCandidates, coverage, range),
    latest: latestOf(candidates, coverage),
  };
}

function checkedAt(rates: Rates, place: number, reverse: PairRates | undefined): CheckedPoint {
  const point = rates.pointAt(place);
  const back = reverse && observationOn(reverse, point.date);
  const { date, parts, rate, path } = point;
  return { date, parts, rate, path, check: checkRate(path, point, rate, back) };
}

function observationOn(rates: PairRates, date: string): FxObservation | undefined {
  const { start, end } = dayRangeWithin(rates.dates, date, date);
  return end > start ? observationAt(rates, start) : undefined;
}

/** Newest date of the pair; undefined where a newer one may exist. */
function latestOf(candidates: readonly PathRates[], coverage: Coverage): string | undefined {
  const newest = candidates.reduce<string | undefined>((newest, { points }) => {
    const [first] = points.dates;
    return first !== undefined && (newest === undefined || first > newest) ? first : newest;
  }, undefined);
  return newest !== undefined && isCovered(coverage, { from: newest, to: LAST_DATE }) ? newest : undefined;
}

const NO_INDICATORS: Indicators = {
  fields: NO_TECHNICALS.names,
  bytes: 0,
  ofRow: () => NO_TECHNICALS,
  newestAt: () => ({}),
  withheld: () => [],
};

/** The number of newest rows to show, and the coverage of the pair. */
interface Look {
  readonly shown: number;
  readonly coverage: Coverage;
  /** Places of the last rows behind a change of publisher: no indicator runs over rows of two. */
  readonly seams: readonly number[];
}

/** Technicals over the whole history, newest first, for its newest rows; the window never changes a value. */
function computeIndicators(rates: Rates, requested: readonly string[], look: Look): Indicators {
  const names = TECHNICAL_NAMES.filter((name) => requested.includes(name));
  const { shown, coverage, seams } = look;
  const last = rates.dates.length - 1;
  const [highs, lows, closes] = BAR_PRICES.map((name) => rates.prices(name)?.toReversed());
  const begins = [...new Set([...beginningsOf(rates.dates), ...seams])].sort((a, b) => a - b);
  const beginnings = begins.map((place) => last - place).toReversed();
  const columns = { vals: rates.vals.toReversed(), highs, lows, closes, beginnings };
  const first = Math.max(0, rates.dates.length - shown);
  const computed = technicals(columns, names, first);
  const reaching = barsReaching(rates, coverage, begins);
  const reached = withholdUncovered(
    computed.columns,
    { last, first, round: computed.rowNumbers(last).round },
    reaching,
  );
  return {
    fields: computed.fields,
    bytes: Object.keys(computed.columns).length * shown * 8,
    withheld({ start, end }) {
      const least = reached.slice(reached.length - end, reached.length - start).reduce((a, b) => Math.min(a, b));
      return computed.fields.filter((field) => least < (BARS_NEEDED[field] ?? 0));
    },
    ofRow(place) {
      const { columns, row } = computed.rowNumbers(last - place);
      return { names: computed.fields, columns, row, round: asItIs };
    },
    newestAt: (place) => computed.indicatorsAt(place === undefined ? -1 : last - place),
  };
}

const asItIs = (value: number): number => value;

/** Removes values whose bars are not all covered, and gives for each row, oldest first, how many bars are. */
function withholdUncovered(
  columns: IndicatorColumns,
  { last, first, round }: { readonly last: number; readonly first: number; readonly round: (value: number) => number },
  reaching: (place: number) => number,
): Float64Array {
  const rows = last - first + 1;
  const reached = new Float64Array(rows);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i += 1) {
    reached[i] = reaching(last - first - i);
    least = Math.min(least, reached[i] ?? 0);
  }
  for (const [field, needed] of Object.entries(BARS_NEEDED)) {
    const values = columns[field];
    if (!values || least >= needed) continue;
    for (let i = 0; i < values.length; i += 1) if ((reached[i] ?? 0) < needed) values[i] = Number.NaN;
  }
  // Each value is shown on many pages: it is rounded once.
  for (const values of Object.values(columns))
    for (const [i, value] of values?.entries() ?? []) if (values) values[i] = round(value);
  return reached;
}
