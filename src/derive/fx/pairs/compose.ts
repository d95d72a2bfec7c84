import type { PageArgs } from '../../../contract/endpoint.ts';
import type {
  Compose,
  Composed,
  CoveringSeries,
  Envelope,
  HookContext,
  Lack,
  LoadedSeries,
  StoredRef,
} from '../../../contract/hooks.ts';
import { madeRows, type PageRows, type RowMembers, rowText } from '../../../contract/json/body.ts';
import { floats, type JsonText } from '../../../contract/json/json.ts';
import { type KeptEntry, processMemory } from '../../../contract/memory-budget.ts';
import { type Coverage, isCovered } from '../../../contract/time/coverage.ts';
import { BEGINNING, dateOf, LAST_DATE } from '../../../contract/time/time.ts';
import { createPageRows } from '../../page-rows.ts';
import { checkRate } from './consistency.ts';
import { coverageOfRoutes, lacksOfRoutes } from './coverage.ts';
import { type DayRange, dayRangeWithin } from './dates.ts';
import type { FxRoute, Rates } from './fx-route.ts';
import { BAR_PRICES, computeIndicators, type Indicators } from './indicators.ts';
import { type FxObservation, type History, historyOf, observationAt } from './legs.ts';
import { forexEnvelope } from './metadata.ts';
import { forexNotes } from './notes.ts';
import {
  candidatePairs,
  decidingPaths,
  isOfPair,
  isOfPath,
  isSamePair,
  pathsOf,
  rankOf,
  reversed,
  selectPathSeries,
  seriesOfPair,
} from './paths.ts';
import { fxRoutes, ratesBy } from './routes.ts';
import { type CheckedPoint, forexRow, madeRow, namesWith } from './rows.ts';
import { factsOfWindow, type WindowFacts } from './window-facts.ts';

/** What all pages of one question have in common. Places are counted in the window, from its newest row. */
interface PreparedWindow {
  readonly total: number;
  /** Newest date of the whole history; undefined where a newer one may exist. */
  readonly latest: string | undefined;
  /** The window has a row, and no newer one of it may exist. */
  readonly hasNewest: boolean;
  readonly envelope: Envelope;
  readonly notes: readonly string[];
  dateOf(place: number): string | undefined;
  rowOf(place: number): JsonText | RowMembers;
  /** The names of all rows, where they are the same. */
  namesWith(technicals: Indicators): readonly string[] | undefined;
  /** All of them, for pages beyond the first one that is asked for. */
  readonly rows: PageRows;
  /** Indicators of at least so many of the newest rows. */
  technicals(shown: number): Indicators;
  lacks(isWithheld: boolean): readonly Lack[];
}

interface KeptWindow {
  /** What it was made of: these very rows and columns, which whoever loads them keeps for one generation of a series. */
  readonly parts: readonly (object | undefined)[];
  readonly window: PreparedWindow;
  readonly entry: KeptEntry | undefined;
}

/** Bytes of a row of a window before it is shown: its date, its value, its places, and the stored rows that it is made of. */
const ROW_BYTES = 600;

const windows = new Map<string, KeptWindow>();

/** The arguments of the forex route. */
export interface ForexArgs extends PageArgs {
  readonly base: string;
  readonly quote: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly indicators: readonly string[] | undefined;
}

/**
 * Daily rates of a pair from whatever is stored. Walk: rank the paths (the pair, its reverse, crosses by an anchor); merge the
 * origins of each leg; take each date by the best path that has a rate for it; compute technicals on all of them up to
 * `end_date`; only then cut the window, and out of it the page. Before the window only numbers are read, as whole columns.
 */
export const composeForex: Compose<ForexArgs> = {
  version: 3,
  reads: (args) => candidatePairs(args).map(seriesOfPair),
  selectSeries: (args, stored) => selectPathSeries(args, stored),
  counts: ({ start_date, end_date, indicators }) => ({ ...(!indicators && { from: start_date }), to: end_date }),
  rowsNeeded: ({ base, quote, start_date: from, end_date: to, indicators }, ref) => ({
    from,
    to,
    columns: ['date', 'val', ...(indicators ? BAR_PRICES : [])],
    // Dates of a derived pair are those that its legs share: where these begin and end only all of them tell.
    ...(!indicators && isOfPair(ref, { base, quote }) && { beyond: 'ends' }),
  }),
  vouches: vouchersFor,
  build: buildForex,
};

/**
 * The legs of every path down to the first one with a rate stand for the answer, the service's own word where it is stored;
 * the reverse of a direct pair is a check and no part of it. Indicators need the history from its beginning.
 */
function vouchersFor(args: ForexArgs, picked: readonly StoredRef[]): CoveringSeries | undefined {
  const paths = decidingPaths(args, picked);
  if (paths.length === 0) return undefined;
  const series = picked.filter((ref) =>
    paths.some((path) => {
      const isOwnWord = (other: StoredRef) =>
        rankOf(other.origin) === 0 && isSameSeries(other, ref) && isOfPath(other, path);
      return isOfPath(ref, path) && (rankOf(ref.origin) === 0 || !picked.some(isOwnWord));
    }),
  );
  const { start_date, end_date, indicators } = args;
  // What a service did not say of its best path another one does not replace; of files each one that has rates stands for
  // itself. Of a time before its first rate a file says nothing.
  const filled = picked.filter(({ rows }) => rows !== 0);
  const anyOf = picked.every(({ origin }) => rankOf(origin) > 0)
    ? pathsOf(args, filled.length > 0 ? filled : picked).map((path) => picked.filter((ref) => isOfPath(ref, path)))
    : undefined;
  return { series, window: { start_date: indicators ? BEGINNING : start_date, end_date }, ...(anyOf && { anyOf }) };
}

function isSameSeries(a: StoredRef, b: StoredRef): boolean {
  return a.scope.base === b.scope.base && a.scope.quote === b.scope.quote;
}

function buildForex(loaded: readonly LoadedSeries[], context: HookContext<ForexArgs>): Composed | undefined {
  const { limit, offset, indicators: names } = context.args;
  const window = preparedWindow(loaded, context, prepareWindow);
  if (!window) return undefined;
  const { envelope, total, latest, lacks, notes } = window;
  const technicals = window.technicals(offset + limit);
  const end = Math.min(offset + limit, total);
  const made = madeRows(Math.max(0, end - offset), (i) => window.rowOf(offset + i), window.namesWith(technicals));
  const whole = { ...envelope, ...(names && { indicators: floats(technicals.newest(window.hasNewest)) }) };
  return {
    envelope: whole,
    made,
    get rows() {
      return [...made];
    },
    total,
    ...(latest !== undefined && { includesLatest: offset < total && window.dateOf(offset) === latest }),
    // Rows before the window are computed with the page, and no part of it.
    lacks: lacks(technicals.withheldFrom < end),
    notes,
    pages: {
      total,
      page(from, count) {
        // A page that reaches values which are withheld lacks what others do not.
        if (names && window.technicals(from + count).withheldFrom < Math.min(from + count, total)) return undefined;
        const isLatest = latest !== undefined && { includesLatest: from < total && window.dateOf(from) === latest };
        return { envelope: whole, rows: window.rows, ...isLatest };
      },
    },
  };
}

/** Everything of an answer that is the same on each of its pages. */
function prepareWindow(
  loaded: readonly LoadedSeries[],
  context: HookContext<ForexArgs>,
  onGrowth: (bytes: number) => void,
): PreparedWindow | undefined {
  const { base, quote, start_date: from, end_date: to, indicators: names } = context.args;
  const pair = { base, quote };
  const routes = fxRoutes(pair, loaded);
  const [best] = routes;
  if (!best) return undefined;
  const today = dateOf(context.now * 1000);
  const hasDirect = best.path.method === 'direct_original_pair';
  const reverse = hasDirect ? historyOf(reversed(pair), loaded) : undefined;
  // Only indicators look further back than the window.
  const history = ratesBy(routes, names ? '' : from, to);
  const coverage = coverageOfRoutes(routes);
  const { start, end } = dayRangeWithin(history.dates, from, to);
  const window = factsOfWindow(checked(history, { start, end }, reverse));
  const used = usedRoutes(routes, window);
  const { check, rows: total } = window;
  const latest = latestOf(routes, coverage);
  const past = to < today ? to : today;
  const technicals = growing(history.dates.length, (shown) =>
    computeIndicators(history, names ?? [], { shown, coverage }),
  );
  const makeRow = window.areMade ? madeRow : forexRow;
  const rowOf = (place: number) =>
    makeRow(checkedAt(history, start + place, reverse), technicals(place + 1).ofRow(place));
  return {
    total,
    latest,
    // Indicators of a window are those of its newest row: of an older one they would be other numbers.
    hasNewest: total > 0 && isCovered(coverage, { from: history.dates[start] ?? past, to: past }),
    technicals,
    dateOf: (place) => history.dates[start + place],
    namesWith: ({ fields }) => (window.areMade ? namesWith(fields) : undefined),
    rowOf,
    rows: createPageRows({ total, textOf: (place) => rowText(rowOf(place)), onGrowth }),
    envelope: forexEnvelope({
      pair,
      path: used[0]?.path ?? best.path,
      methods: new Set(used.map(({ path }) => path.method)),
      directHeld: hasDirect,
      histories: contributing(used, window),
      reverseHeld: loaded.some(({ ref }) => isOfPair(ref, reversed(pair))),
      check,
      window: { from, to, rows: total, isWhole: lacksOfRoutes(routes, { from, to: past }).length === 0 },
      latest,
      today,
      labels: context.labels,
    }),
    lacks: (isWithheld) => lacksOfRoutes(routes, { from: isWithheld ? BEGINNING : from, to: past }),
    notes: forexNotes({
      ...{ pair, routes: used, all: routes, window, from, to, today },
      ...{ failed: check === 'failed', isPast: context.isPast === true },
    }),
  };
}

/** The points of the window, each checked against the reverse pair of the same date where that is stored. */
function* checked(
  rates: Rates,
  { start, end }: DayRange,
  reverse: History | undefined,
): Generator<CheckedPoint, void, undefined> {
  for (let index = start; index < end; index += 1) yield checkedAt(rates, index, reverse);
}

function checkedAt(rates: Rates, index: number, reverse: History | undefined): CheckedPoint {
  const point = rates.pointAt(index);
  const back = reverse && observationOn(reverse, point.date);
  const { date, parts, rate, path } = point;
  return { date, parts, rate, path, check: checkRate(path, point, rate, back) };
}

function observationOn(history: History, date: string): FxObservation | undefined {
  const { start, end } = dayRangeWithin(history.dates, date, date);
  return end > start ? observationAt(history, start) : undefined;
}

/** The routes that the window's rows came by, that of the newest row first; the best one when the window is empty. */
function usedRoutes(routes: readonly FxRoute[], { paths }: WindowFacts): readonly FxRoute[] {
  if (paths.size === 0) return routes.slice(0, 1);
  return [...paths.keys()].flatMap((path) => routes.find((route) => route.path === path) ?? []);
}

/** Newest date of the pair; undefined where a newer one may exist. */
function latestOf(routes: readonly FxRoute[], coverage: Coverage): string | undefined {
  const newest = routes.reduce<string | undefined>((newest, { points }) => {
    const [first] = points.dates;
    return first !== undefined && (newest === undefined || first > newest) ? first : newest;
  }, undefined);
  return newest !== undefined && isCovered(coverage, { from: newest, to: LAST_DATE }) ? newest : undefined;
}

/** Histories of the routes, each pair once, without the series that give no row of the window. */
function contributing(routes: readonly FxRoute[], window: WindowFacts): readonly History[] {
  const all = routes.flatMap(({ histories }) => histories);
  const firsts = all.filter(({ pair }, i) => all.findIndex((other) => isSamePair(other.pair, pair)) === i);
  const histories = firsts.map((first) => {
    const ofPair = all.filter(({ pair }) => isSamePair(pair, first.pair));
    return { ...first, series: [...new Set(ofPair.flatMap(({ series }) => series))] };
  });
  if (window.rows === 0) return histories;
  const { series: used } = window;
  return histories.map((history) => ({ ...history, series: history.series.filter((one) => used.has(one)) }));
}

/**
 * The window of a question, made once for all of its pages, for as long as everything that it is made of is the same: the
 * generation of each series, its coverage, the arguments beside those of the page, the day.
 */
function preparedWindow<A extends PageArgs>(
  loaded: readonly LoadedSeries[],
  context: HookContext<A>,
  prepare: (
    loaded: readonly LoadedSeries[],
    context: HookContext<A>,
    onGrowth: (bytes: number) => void,
  ) => PreparedWindow | undefined,
): PreparedWindow | undefined {
  const parts = loaded.flatMap(({ rows, columns, shown }): (object | undefined)[] => [shown?.texts ?? rows, columns]);
  const name = nameOf(loaded, context);
  const known = windows.get(name);
  if (known && isSameList(known.parts, parts)) {
    known.entry?.touch();
    return known.window;
  }
  let entry: KeptEntry | undefined;
  const window = prepare(loaded, context, (bytes) => entry?.grow(bytes));
  known?.entry?.release();
  windows.delete(name);
  if (!window) return undefined;
  let isForgotten = false;
  entry = processMemory.keep(name.length * 2 + window.total * ROW_BYTES, () => {
    isForgotten = true;
    windows.delete(name);
  });
  if (entry && !isForgotten) windows.set(name, { parts, window, entry });
  return window;
}

function nameOf<A extends PageArgs>(
  loaded: readonly LoadedSeries[],
  { args, now, labels, isPast }: HookContext<A>,
): string {
  const { limit: _, offset: __, ...question } = args;
  const series = loaded.map(({ ref, coverage }) => [ref.origin, ref.scope, coverage]);
  return JSON.stringify([question, dateOf(now * 1000), isPast, labels, series]);
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

/** A question of the newest rows works out no others; one that goes further back works out all, and is asked again. */
function growing(most: number, compute: (shown: number) => Indicators): PreparedWindow['technicals'] {
  let reach = 0;
  let computed: Indicators | undefined;
  return (shown) => {
    const count = Math.min(shown, most);
    if (computed && count <= reach) return computed;
    reach = computed ? most : count;
    computed = compute(reach);
    return computed;
  };
}
