import type { LoadedRow, LoadedSeries } from '../../contract/hooks.ts';
import { float, type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { type Spread, spreadOf } from '../rates/arithmetic.ts';
import type { Leg, LegPoint } from './legs.ts';

/** A date on which both currencies have a rate, or of which the service told both. */
export interface MatchedPoint {
  readonly date: string;
  /** The rates of both sides; undefined where only the service's own row tells them. */
  readonly sides?: readonly [LegPoint, LegPoint];
  /** The service's own row. */
  readonly own?: LoadedRow;
}

/** The rates of both sides on the dates that they share, newest first. */
export function align(base: Leg, quote: Leg): readonly MatchedPoint[] {
  const quotes = new Map(quote.points.map((point) => [point.date, point]));
  return base.points.flatMap((point) => {
    const other = quotes.get(point.date);
    return other ? [{ date: point.date, sides: [point, other] as const }] : [];
  });
}

/** The service's own rows of a window. */
export function ownPoints(series: LoadedSeries, from: string, to: string): readonly MatchedPoint[] {
  return series.rows.flatMap((row) => {
    const date = String(row.columns.date);
    return date < from || date > to ? [] : [{ date, own: row }];
  });
}

/**
 * Both lists as one, newest first. On a date that both have the service's row stands for itself when it is the newer word,
 * else it lends its text to the rates that it agrees with.
 */
export function joinPoints(
  computed: readonly MatchedPoint[],
  own: readonly MatchedPoint[],
  ownFirst: boolean,
): readonly MatchedPoint[] {
  if (own.length === 0) return computed;
  const byDate = new Map(computed.map((point) => [point.date, point]));
  for (const point of own) byDate.set(point.date, ownFirst ? point : { ...byDate.get(point.date), ...point });
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? 1 : -1));
}

/** What a point says in numbers. */
export interface PointValues {
  readonly spread: Spread;
  readonly base: number;
  readonly quote: number;
}

/** The values of a point: of the legs, or of the service's row where that alone tells them. */
export function valuesOf({ sides, own }: MatchedPoint): PointValues | undefined {
  if (sides) {
    const [base, quote] = sides;
    return { base: base.val, quote: quote.val, spread: spreadOf(base.val, quote.val) };
  }
  if (!own) return undefined;
  const { base_val: base, quote_val: quote } = parseObject(own.text);
  if (typeof base !== 'number' || typeof quote !== 'number') return undefined;
  return { base, quote, spread: spreadOf(base, quote) };
}

/** The row of a point: the service's own unless the rates say something else. */
export function differentialRow(point: MatchedPoint): JsonText {
  const { date, sides, own } = point;
  if (own && (!sides || agrees(own, sides))) return own.text;
  const values = valuesOf(point);
  if (!sides || !values) return toJsonText({ date });
  const [base, quote] = sides;
  const { points, bps } = values.spread;
  return toJsonText({
    date,
    base_val: float(base.val),
    quote_val: float(quote.val),
    spread: float(points),
    spread_bps: float(bps),
    differential: float(points),
    differential_bps: float(bps),
    ...forwardMembers('base', base),
    ...forwardMembers('quote', quote),
  });
}

function agrees(own: LoadedRow, [base, quote]: readonly [LegPoint, LegPoint]): boolean {
  const row = parseObject(own.text);
  return row.base_val === base.val && row.quote_val === quote.val;
}

function forwardMembers(side: 'base' | 'quote', { val, spots }: LegPoint): Readonly<Record<string, unknown>> {
  if (!spots) return {};
  return {
    [`${side}_forward_val`]: float(val),
    [`${side}_start_val`]: float(spots[0]),
    [`${side}_end_val`]: float(spots[1]),
  };
}
