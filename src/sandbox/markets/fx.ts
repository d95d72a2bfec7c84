import type { JsonObject } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { printed } from '../random-walks.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import type { Day } from '../schedule.ts';
import type { World } from '../world.ts';
import { decimalsOf, euroRates, type Fixing, fixingSeries, pairFixings, RATE_DESKS, type RateDesk } from './fixings.ts';

/** Observations that a bar takes at least. */
const ENOUGH = 4;

/** The daily and the timed rates of every pair that a desk fixes. */
export function* generateFx(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  for (const desk of RATE_DESKS) {
    const anchor = euroRates(world, desk.anchor, days.length);
    for (const quote of desk.quotes) {
      const rates = euroRates(world, quote, days.length).map((rate, i) => rate / (anchor[i] ?? 1));
      const fixings = pairFixings(world, days, { desk, quote });
      yield pairSeries(world, { desk, quote, days, rates, bars: barsOf(fixings) });
      yield fixingSeries(world, `${desk.anchor}/${quote}`, fixings);
    }
  }
}

interface DailyRates {
  readonly desk: RateDesk;
  readonly quote: string;
  readonly days: readonly Day[];
  readonly rates: readonly number[];
  /** By date. */
  readonly bars: ReadonlyMap<string, JsonObject>;
}

function pairSeries(world: World, { desk, quote, days, rates, bars }: DailyRates): GeneratedSeries {
  const pair = { base: desk.anchor, quote };
  const leg = { source_provider: SANDBOX_LABEL, source_name: desk.name, source_url: SANDBOX_URL };
  const source = {
    source_pair: `${desk.anchor}/${quote}`,
    source_legs: [{ pair: `${desk.anchor}/${quote}`, ...leg, source_frequency: 'daily' }],
    is_derived: false,
    derivation_method: 'direct_original_pair',
    pair_consistency_check: 'passed',
    source_name: SANDBOX_LABEL,
  };
  const rows = days.flatMap(({ date, midnight }, i) => {
    if (date < world.since.fx) return [];
    const val = printed(rates[i] ?? 0, decimalsOf(quote));
    const time = { observation_datetime: midnight, observation_datetime_iso: `${date}T00:00:00Z` };
    return [{ date, val, ...time, observation_datetime_precision: 'date', ...bars.get(date), source }];
  });
  const envelope = {
    ...pair,
    source: SANDBOX_LABEL,
    provenance: { publisher: SANDBOX_LABEL, publisher_url: SANDBOX_URL, storage: 'sandbox' },
    data_quality: { source_name: desk.name, source_type: 'synthetic', is_official: false },
  };
  return generatedSeries('forex', pair, envelope, rows.reverse());
}

/** The bars of a pair by date, each made of the timed rates of its day, which are in the order of time. */
function barsOf(fixings: readonly Fixing[]): ReadonlyMap<string, JsonObject> {
  const bars = new Map<string, JsonObject>();
  for (const [date, day] of Map.groupBy(fixings, (fixing) => fixing.date)) {
    const [first, last] = [day[0], day.at(-1)];
    if (!first || !last || day.length < ENOUGH) continue;
    const prices = day.map(({ price }) => price);
    bars.set(date, {
      open: first.price,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: last.price,
      ohlc_point_count: day.length,
      ohlc_source_count: new Set(day.map(({ desk }) => desk.id)).size,
      ohlc_timestamp_start_utc: isoSeconds(first.at),
      ohlc_timestamp_end_utc: isoSeconds(last.at),
      ohlc_type: 'reference_observations',
    });
  }
  return bars;
}
