import type { JsonObject } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { Fixing } from './fixings.ts';

/** Observations that a bar takes at least. */
const ENOUGH = 4;

/** The bars of a pair by date, each made of the timed rates of its day, which are in the order of time. */
export function barsOf(fixings: readonly Fixing[]): ReadonlyMap<string, JsonObject> {
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
