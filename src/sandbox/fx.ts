import type { JsonObject } from '../contract/json.ts';
import { addDays, daysBetween } from '../contract/time.ts';
import { MAIN_CURRENCIES } from '../contract/words/currencies.ts';
import { streamOf } from './random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from './rows.ts';
import type { Day } from './schedule.ts';
import { printed, walk } from './walks.ts';
import { WALK_START, type World, yesterday } from './world.ts';

/** A desk that fixes its pairs against one currency. */
export interface Desk {
  readonly id: string;
  readonly name: string;
  readonly anchor: string;
  readonly quotes: readonly string[];
}

export const DESKS: readonly Desk[] = [
  {
    id: 'sandbox_eur_daily',
    name: `${SANDBOX_LABEL}, euro desk`,
    anchor: 'EUR',
    quotes: MAIN_CURRENCIES.filter((code) => code !== 'EUR'),
  },
  { id: 'sandbox_usd_daily', name: `${SANDBOX_LABEL}, dollar desk`, anchor: 'USD', quotes: ['CAD', 'CHF', 'JPY'] },
];

/** Units of each currency for one euro around which its walk stays. */
const USUAL: Readonly<Record<string, number>> = {
  AUD: 1.65,
  BRL: 5.9,
  CAD: 1.49,
  CHF: 0.97,
  CNH: 7.75,
  CNY: 7.74,
  DKK: 7.46,
  GBP: 0.86,
  ILS: 4.05,
  JPY: 152,
  NGN: 1600,
  NOK: 11.4,
  NZD: 1.82,
  PEN: 4.1,
  SEK: 11.2,
  THB: 38.5,
  USD: 1.11,
};
/** A pegged currency hardly moves. */
const PEGGED = ['DKK'];
/** Pairs with enough observations a day for a bar, and years of them. */
const BARRED = ['EUR/CHF', 'EUR/GBP', 'EUR/JPY', 'EUR/USD', 'USD/JPY'];
const BAR_DAYS = 3 * 365;

/** Units of a currency for one euro on each of the business days, before any rounding. */
export function euroRates(world: World, currency: string, count: number): readonly number[] {
  if (currency === 'EUR') return Array.from({ length: count }, () => 1);
  const mean = USUAL[currency] ?? 1;
  const swing = mean * (PEGGED.includes(currency) ? 0.00008 : 0.0045);
  const model = { kind: 'around', mean, swing, pull: 0.0015, floor: mean / 3 } as const;
  return walk(model, streamOf(world.seed, `fx/EUR/${currency}`), count).values;
}

/** Decimals in which a pair is printed. */
export function decimalsOf(quote: string): number {
  return (USUAL[quote] ?? 1) > 100 ? 2 : 4;
}

/** The daily rates of every pair that a desk fixes. */
export function* generateFx(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  for (const desk of DESKS) {
    const anchor = euroRates(world, desk.anchor, days.length);
    for (const quote of desk.quotes) {
      const rates = euroRates(world, quote, days.length).map((rate, i) => rate / (anchor[i] ?? 1));
      yield pairSeries(world, { desk, quote, days, rates });
    }
  }
}

interface Fixings {
  readonly desk: Desk;
  readonly quote: string;
  readonly days: readonly Day[];
  readonly rates: readonly number[];
}

function pairSeries(world: World, { desk, quote, days, rates }: Fixings): GeneratedSeries {
  const pair = `${desk.anchor}/${quote}`;
  const barsSince = addDays(world.since.fx, Math.max(0, daysBetween(world.since.fx, world.today) - BAR_DAYS));
  const stream = streamOf(world.seed, `fx/${pair}/bars`);
  const source = { source_pair: pair, is_derived: false, source_name: SANDBOX_LABEL };
  const rows = days.flatMap(({ date, midnight }, i) => {
    const val = printed(rates[i] ?? 0, decimalsOf(quote));
    // Drawn for every day, so that the first bar of tomorrow's data set is that of today's.
    const bar = BARRED.includes(pair) ? barOf(stream, { date, val, decimals: decimalsOf(quote) }) : {};
    if (date < world.since.fx) return [];
    return [
      rowOf({
        date,
        val,
        observation_datetime: midnight,
        observation_datetime_iso: `${date}T00:00:00Z`,
        observation_datetime_precision: 'date',
        ...(date >= barsSince && bar),
        source,
      }),
    ];
  });
  const window = { from: WALK_START, to: world.today };
  return {
    endpoint: 'forex',
    scope: { base: desk.anchor, quote },
    envelope: pairEnvelope(world, desk, quote),
    rows: rows.reverse(),
    window,
  };
}

/** A bar of four observations or more on most days; every day takes the same number of draws. */
function barOf(
  stream: { uniform(): number; normal(): number },
  fixing: { date: string; val: number; decimals: number },
): JsonObject {
  const { date, val, decimals } = fixing;
  const happens = stream.uniform() < 0.7;
  const points = 4 + Math.floor(stream.uniform() * 6);
  const open = val * (1 + 0.002 * stream.normal());
  const close = val * (1 + 0.0004 * stream.normal());
  const high = Math.max(open, close, val) * (1 + 0.003 * stream.uniform());
  const low = Math.min(open, close, val) * (1 - 0.003 * stream.uniform());
  if (!happens) return {};
  return {
    open: printed(open, decimals),
    high: printed(high, decimals),
    low: printed(low, decimals),
    close: printed(close, decimals),
    ohlc_point_count: points,
    ohlc_source_count: 1,
    ohlc_timestamp_start_utc: `${date}T07:00:00Z`,
    ohlc_timestamp_end_utc: `${date}T16:00:00Z`,
    ohlc_type: 'reference_observations',
  };
}

function pairEnvelope(world: World, desk: Desk, quote: string): JsonObject {
  const pair = `${desk.anchor}/${quote}`;
  const leg = {
    pair,
    source_provider: SANDBOX_LABEL,
    source_name: desk.name,
    source_url: SANDBOX_URL,
    source_frequency: 'daily',
  };
  return {
    base: desk.anchor,
    quote,
    source: SANDBOX_LABEL,
    provenance: {
      publisher: SANDBOX_LABEL,
      publisher_url: SANDBOX_URL,
      storage: 'sandbox',
      served_by: '/v1/forex/{base}/{quote}',
      timestamp_field: 'date',
      value_field: 'val',
    },
    pair_metadata: {
      direct_available: true,
      inverse_available: false,
      derived_from_inverse: false,
      derived_from_cross: false,
      derived_from_source_legs: false,
      is_derived: false,
      derivation_method: 'direct_original_pair',
      source_pair: pair,
      source_legs: [leg],
      pair_consistency_check: 'not_applicable',
      anchor_currency: desk.anchor,
    },
    data_quality: {
      source_name: desk.name,
      source_type: 'synthetic',
      is_derived: false,
      is_official: false,
      datetime_field: 'date',
      datetime_precision: 'date',
      source_legs: [leg],
    },
    start_date: world.since.fx,
    end_date: yesterday(world),
    coverage: { scope: 'requested_range' },
    daily_ohlc_basis: 'Synthetic reference observations of the day, on dates with at least four of them.',
    technical_indicator_basis: 'Daily values; bars where a date has one.',
  };
}
