import type { PageArgs } from '../../../contract/endpoint.ts';
import type { Compose, Composed, CoveringSeries, HookContext, StoredRef } from '../../../contract/hooks.ts';
import { madeRows } from '../../../contract/json/body.ts';
import { floats } from '../../../contract/json/json.ts';
import { isCovered } from '../../../contract/time/coverage.ts';
import { BEGINNING, dateOf } from '../../../contract/time/time.ts';
import { lacksOfRoutes } from './coverage.ts';
import { dayRangeWithin } from './dates.ts';
import type { FxRoute } from './fx-route.ts';
import { BAR_PRICES } from './indicators.ts';
import type { History } from './legs.ts';
import { forexEnvelope } from './metadata.ts';
import { forexNotes } from './notes.ts';
import { type PairSeries, pairSeries, type WindowFacts } from './pair.ts';
import {
  candidatePairs,
  decidingPaths,
  isOfPair,
  isOfPath,
  isSamePair,
  pathsOf,
  rankOf,
  selectPathSeries,
  seriesOfPair,
} from './paths.ts';
import { forexRow, madeRow, madeText, namesWith } from './rows.ts';

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
  joined: {
    of: ['base', 'quote', 'indicators'],
    make: (loaded, { base, quote }) => pairSeries({ base, quote }, loaded),
    slice: sliceForex,
  },
  build(loaded, context) {
    const { base, quote } = context.args;
    const series = pairSeries({ base, quote }, loaded);
    return series && sliceForex(series, context);
  },
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

/** One page of a window of the pair. */
function sliceForex(series: PairSeries, context: HookContext<ForexArgs>): Composed {
  const { start_date: from, end_date: to, indicators: names, limit, offset } = context.args;
  const { pair, routes, best, dates, coverage, latest, pointAt } = series;
  const today = dateOf(context.now * 1000);
  const { start, end } = dayRangeWithin(dates, from, to);
  const window = series.factsOf({ start, end });
  const used = usedRoutes(routes, window);
  const { check, rows: total } = window;
  const past = to < today ? to : today;
  const last = Math.min(offset + limit, total);
  const technicals = series.indicators(names ?? [], start + last);
  const count = Math.max(0, last - offset);
  const place = (i: number) => start + offset + i;
  const made = window.areMade
    ? madeRows(
        count,
        (i) => madeRow(pointAt(place(i)), technicals.ofRow(place(i))),
        namesWith(technicals.fields),
        (i) => madeText(pointAt(place(i)), technicals.ofRow(place(i))),
      )
    : madeRows(count, (i) => forexRow(pointAt(place(i)), technicals.ofRow(place(i))));
  // Indicators of a window are those of its newest row: of an older one they would be other numbers.
  const hasNewest = total > 0 && isCovered(coverage, { from: dates[start] ?? past, to: past });
  const lacks = lacksOfRoutes(routes, coverage, { from, to: past });
  const envelope = forexEnvelope({
    pair,
    path: used[0]?.path ?? best.path,
    methods: new Set(used.map(({ path }) => path.method)),
    directHeld: series.hasDirect,
    histories: contributing(used, window),
    reverseHeld: series.hasReverse,
    check,
    window: { from, to, rows: total, isWhole: lacks.length === 0 },
    latest,
    today,
    labels: context.labels,
  });
  const isWithheld = technicals.hasWithheld({ start, end: start + last });
  return {
    envelope: {
      ...envelope,
      ...(names && { indicators: floats(technicals.newestAt(hasNewest ? start : undefined)) }),
    },
    made,
    get rows() {
      return [...made];
    },
    total,
    ...(latest !== undefined && { includesLatest: offset < total && dates[start + offset] === latest }),
    // Rows before the window are computed with the page, and no part of it.
    lacks: isWithheld ? lacksOfRoutes(routes, coverage, { from: BEGINNING, to: past }) : lacks,
    get notes() {
      return forexNotes({
        ...{ pair, routes: used, all: routes, window, from, to, today },
        ...{ failed: check === 'failed', isPast: context.isPast === true },
      });
    },
  };
}

/** The routes that the window's rows came by, that of the newest row first; the best one when the window is empty. */
function usedRoutes(routes: readonly FxRoute[], { paths }: WindowFacts): readonly FxRoute[] {
  if (paths.size === 0) return routes.slice(0, 1);
  return [...paths.keys()].flatMap((path) => routes.find((route) => route.path === path) ?? []);
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
