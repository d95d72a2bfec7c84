import type { Prices } from '../prices.ts';
import { seededAverage, wilderSmoothing } from './seeded-average.ts';

/**
 * Average true range: Wilder average of the greatest of high - low, |high - previous close| and |low - previous close|.
 *
 * Seeding: mean of the first n true ranges, of which the first is high - low, for want of a previous close.
 * Warm-up: n bars. Source: Wilder 1978.
 */
export function averageTrueRange({ highs, lows, closes, length, firstShown }: Prices, size: number): Float64Array {
  const ranges = new Float64Array(length);
  for (let i = 0; i < length; i += 1) {
    const high = highs[i] ?? 0;
    const low = lows[i] ?? 0;
    // Without a previous close the day counts as opened at its low, which leaves high - low.
    const previous = closes[i - 1] ?? low;
    const up = high > previous ? high - previous : previous - high;
    const down = low > previous ? low - previous : previous - low;
    const reach = up > down ? up : down;
    ranges[i] = high - low > reach ? high - low : reach;
  }
  return seededAverage(ranges, wilderSmoothing(size), ranges).subarray(firstShown);
}
