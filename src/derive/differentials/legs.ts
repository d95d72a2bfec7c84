import type { LoadedSeries } from '../../contract/hooks.ts';
import { byOrigin } from '../announcements/series-choice.ts';
import { forwardRate } from '../rates/arithmetic.ts';
import { type NodeLine, nodeLines } from '../rates/nodes.ts';
import {
  distinct,
  type MarketObservation,
  marketSource,
  mergeByDate,
  type ObservedMoment,
  observeMarket,
} from '../rates/observations.ts';
import { type Comparison, nodeSlugs, tenorsOf } from './measures.ts';

/** The rate of one currency on one date. */
export interface LegPoint {
  readonly date: string;
  /** Per cent. */
  readonly val: number;
  /** Of a forward: the two spot rates that it follows from. */
  readonly spots?: readonly [number, number];
  /** What it was observed in; of a forward, both of its nodes. */
  readonly from: readonly MarketObservation[];
}

/** One side of a comparison. */
export interface Leg {
  /** Indicators that it rests on. */
  readonly indicator: string;
  /** Inside the window, newest first. */
  readonly points: readonly LegPoint[];
  readonly series: readonly LoadedSeries[];
  readonly sources: readonly string[];
}

/** The rates of one currency by one measure, from every origin that has them. */
export function spotLeg(
  loaded: readonly LoadedSeries[],
  { currency, measure }: { currency: string; measure: string },
  moment: ObservedMoment,
): Leg {
  const series = loaded.filter(({ ref }) => ref.scope.currency === currency && ref.scope.indicator === measure);
  const lists = [...series].sort(byOrigin).map((one) => observeMarket(one, moment));
  const points = mergeByDate(lists).map((one) => ({ date: one.date, val: one.val, from: [one] }));
  return legOf(measure, points, series);
}

/** The forward rates of one currency on the dates that both of its nodes have. */
export function forwardLeg(loaded: readonly LoadedSeries[], currency: string, ask: Comparison & ObservedMoment): Leg {
  const [start, end] = tenorsOf(ask);
  const lines = nodeLines(
    loaded.filter(({ ref }) => ref.scope.currency === currency),
    ask,
  );
  const line = (label: string) => lines.find(({ maturity }) => maturity.label === label);
  const points = forwardPoints(line(start.label), line(end.label));
  const series = [...new Set(points.flatMap(({ from }) => from.map((one) => one.series)))];
  return legOf(nodeSlugs(ask).join(','), points, series);
}

function forwardPoints(start: NodeLine | undefined, end: NodeLine | undefined): readonly LegPoint[] {
  if (!start || !end) return [];
  const ends = new Map(end.observations.map((one) => [one.date, one]));
  return start.observations.flatMap((near) => {
    const far = ends.get(near.date);
    const val =
      far && forwardRate({ val: near.val, years: start.maturity.years }, { val: far.val, years: end.maturity.years });
    if (far === undefined || val === undefined) return [];
    return [{ date: near.date, val, spots: [near.val, far.val] as const, from: [near, far] }];
  });
}

function legOf(indicator: string, points: readonly LegPoint[], series: readonly LoadedSeries[]): Leg {
  // The publishers of the newest rate, and whoever else stands beside a whole series.
  const sources = [
    ...(points[0]?.from ?? []).map(marketSource),
    ...series.map(({ envelope }) => textOf(envelope.source)),
  ];
  return { indicator, points, series, sources: distinct(sources) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
