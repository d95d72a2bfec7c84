import type { WindowArgs } from '../../contract/endpoint.ts';
import type { LoadedSeries, SeriesRef, StoredRef } from '../../contract/hooks.ts';
import { byOrigin, isBaseSeries } from '../announcements/series.ts';
import {
  distinct,
  forwardRate,
  givesNodes,
  type MarketObservation,
  type Maturity,
  marketSource,
  maturityOfYears,
  mergeByDate,
  type NodeLine,
  nodeLines,
  type ObservedMoment,
  observeMarket,
  slugOfMaturity,
} from './rates.ts';

/** Arguments of a question for a rate differential, read. */
export interface DifferentialArgs extends Comparison, WindowArgs {
  readonly curve_family: string;
  readonly as_of: number | undefined;
  readonly availability: string;
}

/** The rate of one currency on one date. */
export interface LegPoint {
  readonly date: string;
  /** Per cent. */
  readonly val: number;
  /** For a forward: the two spot rates behind it. */
  readonly spots?: readonly [number, number];
  /** The observations behind the rate; for a forward, both of its nodes. */
  readonly from: readonly MarketObservation[];
}

/** One side of a comparison. */
export interface Leg {
  readonly indicator: string;
  /** Inside the window, newest first. */
  readonly points: readonly LegPoint[];
  readonly series: readonly LoadedSeries[];
  readonly sources: readonly string[];
}

/** The terms of comparing two rates, as far as they decide which series take part. */
export interface Comparison {
  readonly base: string;
  readonly quote: string;
  readonly measure: string;
  readonly rate_type: string;
  readonly start_tenor_years: number;
  readonly end_tenor_years: number;
}

/** Measures that `auto` tries, the preferred one first. */
const AUTO_ORDER = ['risk_free_rate', 'gov_bond_2y', 'policy_rate'] as const;
const MEASURES = [...AUTO_ORDER, 'gov_bond_10y'] as const;

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
    ...(points[0]?.from ?? []).map((one) => marketSource(one)),
    ...series.map(({ envelope }) => textOf(envelope.source)),
  ];
  return { indicator, points, series, sources: distinct(sources) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The measures that answer a question, the preferred one first. */
export function candidates({ measure }: Comparison): readonly string[] {
  return measure === 'auto' ? AUTO_ORDER : [measure];
}

/** Start and end of the forward that a question asks for. */
export function tenorsOf(args: Comparison): readonly [Maturity, Maturity] {
  return [maturityOfYears(args.start_tenor_years), maturityOfYears(args.end_tenor_years)];
}

/** Indicators of the two nodes that a forward rests on. */
export function nodeSlugs(args: Comparison): readonly [string, string] {
  const [start, end] = tenorsOf(args);
  return [slugOfMaturity(start), slugOfMaturity(end)];
}

/** Series that could take part, the service's own answer among them where it can. */
export function readSeries(args: Comparison, usesOwn: boolean): readonly SeriesRef[] {
  const { base, quote, measure, rate_type } = args;
  return [
    ...(usesOwn ? [{ endpoint: 'rate_differentials', scope: { base, quote, measure, rate_type } }] : []),
    ...[base, quote].flatMap((currency) => [
      { endpoint: 'announcements', scope: { currency } },
      ...(rate_type === 'forward' ? [{ endpoint: 'curves', scope: { currency } }] : []),
    ]),
  ];
}

/** The service's series, then legs of the shared or possible measures, one each where none is shared. */
export function pickLegs(args: Comparison, stored: readonly StoredRef[]): readonly StoredRef[] {
  const own = stored.filter(isOwn);
  const isAny = own.length > 0;
  const rates = stored.filter(
    (ref) => !isOwn(ref) && (args.rate_type === 'forward' ? givesNodes(ref) : isMeasure(ref)),
  );
  const legs = args.rate_type === 'forward' ? forwardLegs(args, rates) : spotLegs(args, rates, isAny);
  if (isAny) return [...own, ...legs];
  const known = [args.base, args.quote].flatMap((code) => rates.find(({ scope }) => scope.currency === code) ?? []);
  if (known.length < 2) return [];
  return legs.length > 0 ? legs : known;
}

export function isOwn({ endpoint }: StoredRef): boolean {
  return endpoint === 'rate_differentials';
}

export function isMeasure(ref: StoredRef): boolean {
  return isBaseSeries(ref) && MEASURES.some((measure) => measure === ref.scope.indicator);
}

function spotLegs(args: Comparison, rates: readonly StoredRef[], all: boolean): readonly StoredRef[] {
  const [preferred = '', ...others] = candidates(args);
  const isCertain = !all && isShared(args, rates, preferred);
  const usable = isCertain ? [preferred] : [preferred, ...others].filter((one) => !all || isShared(args, rates, one));
  return rates.filter(({ scope }) => usable.includes(scope.indicator ?? ''));
}

/** True when both currencies have a series of the measure. */
export function isShared({ base, quote }: Comparison, rates: readonly StoredRef[], measure: string): boolean {
  return [base, quote].every((currency) =>
    rates.some(({ scope }) => scope.currency === currency && scope.indicator === measure),
  );
}

/** Yields of both nodes, and curves that may list them. */
function forwardLegs(args: Comparison, rates: readonly StoredRef[]): readonly StoredRef[] {
  const slugs = nodeSlugs(args);
  const legs = rates.filter(({ endpoint, scope }) => endpoint === 'curves' || slugs.includes(scope.indicator ?? ''));
  return [args.base, args.quote].every((code) => legs.some(({ scope }) => scope.currency === code)) ? legs : [];
}

/** The preferred one of the measures that both currencies have. */
export function sharedMeasure(args: Comparison, rates: readonly { readonly ref: StoredRef }[]): string | undefined {
  const refs = rates.map(({ ref }) => ref);
  return MEASURES.find((measure) => isShared(args, refs, measure));
}
