import type { Envelope, LoadedRow, LoadedSeries } from '../../contract/hooks.ts';
import {
  float,
  isJsonObject,
  type JsonObject,
  type JsonText,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { dateOf, isoSeconds } from '../../contract/time/time.ts';
import { keptQuality } from '../../coverage/data-quality.ts';
import { FORWARD_SUPPORT } from './curve.ts';
import { type DifferentialArgs, type Leg, type LegPoint, tenorsOf } from './differential-legs.ts';
import { distinct, rateQuality, spreadOf } from './rates.ts';

export interface ServiceMembers {
  readonly args: DifferentialArgs;
  /** The service's own answer. */
  readonly own: LoadedSeries | undefined;
  readonly legs: readonly [Leg, Leg] | undefined;
  readonly measure: string | undefined;
  /** All of the window, newest first. */
  readonly points: readonly MatchedPoint[];
  /** Nothing newer of the window can be missing. */
  readonly isNewestKnown: boolean;
  /** Unix seconds. */
  readonly now: number;
}

/** A date on which both currencies have a rate, or on which the service gave both. */
export interface MatchedPoint {
  readonly date: string;
  /** The rates of both sides; undefined where only the service's own row tells them. */
  readonly sides?: readonly [LegPoint, LegPoint];
  readonly own?: LoadedRow;
}

/** The members beside the rows. See docs/interface-endpoints.md#rate-differentials. */
export function differentialEnvelope(members: ServiceMembers): Envelope {
  const { args, own, points, measure } = members;
  const stored = own?.envelope ?? {};
  const isStored = points.length > 0 && points.every(({ sides }) => !sides) && members.isNewestKnown;
  if (isStored && describes(stored, members)) return stored;
  const { base, quote, start_date, end_date } = args;
  const found = points.length > 0;
  return {
    ...stored,
    base,
    quote,
    rate_type: args.rate_type,
    measure_requested: args.measure,
    measure_used: found ? measure : undefined,
    base_indicator: found ? (members.legs?.[0].indicator ?? stored.base_indicator) : undefined,
    quote_indicator: found ? (members.legs?.[1].indicator ?? stored.quote_indicator) : undefined,
    ...answerForwards(args),
    start_date,
    end_date,
    ...(args.as_of !== undefined && { as_of: isoSeconds(args.as_of), availability: args.availability }),
    matched_points: points.length,
    unit: 'percentage_points',
    ...latestMembers(members, stored),
    sources: sourcesOf(members.legs, stored),
    official_forward_source_support: stored.official_forward_source_support ?? FORWARD_SUPPORT,
    data_quality: keptQuality(stored, qualityOf(members, stored)),
  };
}

/** True while what the service said beside its rows tells of the same window and as many rows. */
function describes(stored: JsonObject, { args, points }: ServiceMembers): boolean {
  return (
    stored.start_date === args.start_date &&
    stored.end_date === args.end_date &&
    stored.matched_points === points.length
  );
}

/** Tenors are texts in answers. */
function answerForwards(args: DifferentialArgs): Envelope {
  if (args.rate_type !== 'forward') return {};
  const [start, end] = tenorsOf(args);
  return {
    curve_family: args.curve_family,
    start_tenor: start.label,
    end_tenor: end.label,
    forward_label: `${start.label}${end.label}`,
  };
}

/** The values of the newest common date, twice by name. */
function latestMembers({ points, isNewestKnown }: ServiceMembers, stored: JsonObject): Envelope {
  const newest = isNewestKnown ? points[0] : undefined;
  const values = newest && valuesOf(newest);
  const spread = values && float(values.spread.points);
  const bps = values && float(values.spread.bps);
  return {
    latest_spread: spread,
    latest_spread_bps: bps,
    latest_differential: spread,
    latest_differential_bps: bps,
    base_latest: newest && values && latestOf(newest, values.base, 0, stored.base_latest),
    quote_latest: newest && values && latestOf(newest, values.quote, 1, stored.quote_latest),
  };
}

/** Without a stored rate, the service's statement about it counts: rows of a differential have no release times. */
function latestOf({ date, sides }: MatchedPoint, val: number, side: 0 | 1, said: unknown): Envelope {
  const isSame = !sides && isJsonObject(said) && said.date === date && said.val === val;
  return {
    date,
    val: float(val),
    announcement_datetime: isSame ? said.announcement_datetime : releaseOf(sides?.[side]),
  };
}

/** A rate is known when the last of its parts is. */
function releaseOf(point: LegPoint | undefined): number | undefined {
  const times = point?.from.map(({ release }) => release) ?? [];
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 && known.length === times.length ? Math.max(...known) : undefined;
}

function sourcesOf(legs: readonly [Leg, Leg] | undefined, stored: JsonObject): unknown {
  const [base, quote] = legs?.map(({ sources }) => sources) ?? [];
  if (base?.length || quote?.length || stored.sources === undefined) return { base: base ?? [], quote: quote ?? [] };
  return stored.sources;
}

/** The service said of a window that has these dates that it knows when each of its rates was released. */
function isAllTimed({ start_date, end_date, data_quality }: JsonObject, points: readonly MatchedPoint[]): boolean {
  if (!isJsonObject(data_quality) || data_quality.missing_announcement_datetime_count !== 0) return false;
  return points.every(({ date }) => date >= String(start_date) && date <= String(end_date));
}

/** Why there is no row: nothing to compare, nothing in the window, or no date that both have. */
function emptyBecause(legs: readonly [Leg, Leg] | undefined): string {
  if (legs === undefined || legs.some(({ series }) => series.length === 0)) return 'no_shared_measure';
  return legs.some(({ points }) => points.length === 0) ? 'no_rows_in_window' : 'no_common_date';
}

function qualityOf({ args, legs, points, isNewestKnown, now, measure }: ServiceMembers, stored: JsonObject): Envelope {
  const timed = points.filter(({ sides }) => sides?.every((side) => releaseOf(side) !== undefined)).length;
  const untold = points.filter(({ sides }) => !sides);
  const today = dateOf((args.as_of ?? now) * 1000);
  return {
    ...rateQuality({
      series: legs?.flatMap(({ series }) => series) ?? [],
      sources: distinct(legs?.flatMap(({ sources }) => sources) ?? []),
      derived: true,
      rows: points.length,
      timed: untold.length === 0 ? timed : isAllTimed(stored, untold) ? timed + untold.length : undefined,
      latest: isNewestKnown ? points[0]?.date : undefined,
      today,
      ages: measure !== 'policy_rate',
    }),
    ...(legs?.some(({ series }) => series.length > 0) && {
      source_legs: legs.map((leg, i) => ({
        currency: i === 0 ? args.base : args.quote,
        indicator: leg.indicator,
        sources: leg.sources,
      })),
    }),
    requested_window_has_data: points.length > 0 || isNewestKnown ? points.length > 0 : undefined,
    reason: points.length > 0 || !isNewestKnown ? undefined : emptyBecause(legs),
  };
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

/** Both lists as one, newest first. On a shared date the newer word wins, or equal rates take the service's text. */
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

/** The values of a point: of the legs, or of the service's row where that alone tells them. */
function valuesOf({ sides, own }: MatchedPoint) {
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
    ...legForwards('base', base),
    ...legForwards('quote', quote),
  });
}

function agrees(own: LoadedRow, [base, quote]: readonly [LegPoint, LegPoint]): boolean {
  const row = parseObject(own.text);
  return row.base_val === base.val && row.quote_val === quote.val;
}

function legForwards(side: 'base' | 'quote', { val, spots }: LegPoint): Readonly<Record<string, unknown>> {
  if (!spots) return {};
  return {
    [`${side}_forward_val`]: float(val),
    [`${side}_start_val`]: float(spots[0]),
    [`${side}_end_val`]: float(spots[1]),
  };
}
