import type { Prices } from './prices.ts';
import { seededAverage, wilderSmoothing } from './seeded-average.ts';

/**
 * Average true range: Wilder average of the greatest of high - low, |high - previous close| and |low - previous close|.
 *
 * Seeding: mean of the first n true ranges, of which the first is high - low, for want of a previous close.
 * Warm-up: n bars. Source: Wilder 1978.
 */
export function averageTrueRange({ highs, lows, closes, length, wanted }: Prices, size: number): Float64Array {
  const ranges = new Float64Array(length);
  for (let i = 0; i < length; i += 1) {
    const high = highs[i] ?? 0;
    const low = lows[i] ?? 0;
    const previous = closes[i - 1];
    ranges[i] =
      previous === undefined ? high - low : Math.max(high - low, Math.abs(high - previous), Math.abs(low - previous));
  }
  return seededAverage(ranges, wilderSmoothing(size), ranges).subarray(wanted);
}
