import type { PageArgs } from '../../contract/endpoint.ts';
import type { Compose, Composed, HeldRef, HookContext, LoadedSeries, Vouchers } from '../../contract/hooks.ts';
import { floats } from '../../contract/json.ts';
import { BEGINNING, dateOf } from '../../contract/time.ts';
import { checkAll, checkRate } from './consistency.ts';
import { computeIndicators } from './indicators.ts';
import { type History, historyOf, type Observation, type Point, pointsOf, within } from './legs.ts';
import { envelopeOf } from './metadata.ts';
import { notesOf } from './notes.ts';
import {
  candidatePairs,
  choosePath,
  isOfPair,
  type Path,
  pickSeries,
  rankOf,
  reversed,
  seriesOfPair,
} from './paths.ts';
import { type RatedPoint, rateAt } from './rates.ts';
import { type CheckedPoint, rowText } from './rows.ts';

/** The arguments of the forex route. */
export interface ForexArgs extends PageArgs {
  readonly base: string;
  readonly quote: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly indicators: readonly string[] | undefined;
}

/**
 * Daily rates of a pair from whatever is held. Walk: choose the best path (the pair, its reverse, a cross by an anchor);
 * merge the origins of each leg; keep the dates on which all legs have a rate; compute technicals on all of them up to
 * `end_date`; only then cut the window, and out of it the page. Row texts beyond the page are never read.
 */
export const composeForex: Compose<ForexArgs> = {
  version: 1,
  reads: (args) => candidatePairs(args).map(seriesOfPair),
  pick: (args, held) => pickSeries(args, held),
  vouches: vouchersFor,
  build: buildForex,
};

/**
 * The legs of the path stand for the answer, the service's own word where it is held; the reverse of a direct pair is a
 * check and no part of it. Indicators need the history to be proven from its beginning.
 */
function vouchersFor(args: ForexArgs, picked: readonly HeldRef[]): Vouchers | undefined {
  const path = choosePath(args, picked);
  if (!path) return undefined;
  const series = path.legs.flatMap(({ pair }) => {
    const held = picked.filter((ref) => isOfPair(ref, pair));
    const own = held.filter((ref) => rankOf(ref.origin) === 0);
    return own.length > 0 ? own : held;
  });
  const { start_date, end_date, indicators } = args;
  return { series, window: { start_date: indicators ? BEGINNING : start_date, end_date } };
}

function buildForex(loaded: readonly LoadedSeries[], context: HookContext<ForexArgs>): Composed | undefined {
  const { base, quote, start_date: from, end_date: to, limit, offset, indicators: names } = context.args;
  const asked = { base, quote };
  const path = choosePath(
    asked,
    loaded.map(({ ref }) => ref),
  );
  if (!path) return undefined;
  const today = dateOf(context.now * 1000);
  const histories = path.legs.map(({ pair }) => historyOf(pair, loaded));
  const points = pointsOf(histories, path.method === 'direct_original_pair');
  const reverse = path.method === 'direct_original_pair' ? historyOf(reversed(asked), loaded) : undefined;
  // Only indicators look further back than the window.
  const history = rated(path, within(points, names ? '' : from, to));
  const technicals = computeIndicators(path, history, names ?? []);
  const window = checked(path, within(history, from, to), reverse);
  const page = window.slice(offset, offset + limit);
  const used = contributing(histories, window);
  const check = checkAll(window.map((point) => point.check));
  const envelope = envelopeOf({
    asked,
    path,
    histories: used,
    reverseHeld: reverse !== undefined && reverse.series.length > 0,
    check,
    window: { from, to, rows: window.length },
    latest: points[0]?.date,
    today,
    labels: context.labels,
  });
  return {
    envelope: { ...envelope, ...(names && { indicators: floats(technicals.newest(window.length > 0)) }) },
    rows: page.map((point, place) => rowText(path, point, technicals.ofRow(offset + place))),
    total: window.length,
    includesLatest: page[0] !== undefined && page[0].date === points[0]?.date,
    notes: notesOf({ asked, path, histories, points, from, to, today, failed: check === 'failed' }),
  };
}

function rated(path: Path, points: readonly Point[]): readonly RatedPoint[] {
  return points.map((point) => ({ date: point.date, parts: point.parts, rate: rateAt(path, point) }));
}

function checked(path: Path, points: readonly RatedPoint[], reverse: History | undefined): readonly CheckedPoint[] {
  const back = new Map<string, Observation>(reverse?.observations.map((one) => [one.date, one]));
  return points.map((point) => ({ ...point, check: checkRate(path, point, point.rate, back.get(point.date)) }));
}

/** The histories without the series that give no row of the window; with all of them when the window is empty. */
function contributing(histories: readonly History[], window: readonly Point[]): readonly History[] {
  if (window.length === 0) return histories;
  const used = new Set(window.flatMap(({ parts }) => parts.map(({ series }) => series)));
  return histories.map((history) => ({ ...history, series: history.series.filter((one) => used.has(one)) }));
}
