import type { Prices } from '../prices.ts';
import { highest, lowest } from './extremes.ts';

/** Values of %K in a %D. */
const SMOOTHED = 3;

/**
 * Fast stochastic oscillator: %K = 100 * (close - lowest low) / (highest high - lowest low) over n bars, and %D, the
 * simple mean of the last three values of %K.
 *
 * Seeding: none. Warm-up: n bars for %K, n + 2 for %D. Flat market: %K 50. Source: George Lane, 1950s.
 *
 * Gives %K, %D.
 */
export function stochastic({ highs, lows, closes, length, firstShown }: Prices, size: number): readonly Float64Array[] {
  const first = Math.max(0, firstShown - SMOOTHED + 1);
  const k = highest(highs, size, first);
  const bottoms = lowest(lows, size, first);
  const d = new Float64Array(length - firstShown);
  let [before, beforeThat] = [Number.NaN, Number.NaN];
  for (let i = first; i < length; i += 1) {
    const bottom = bottoms[i - first] ?? 0;
    const range = (k[i - first] ?? 0) - bottom;
    const now = range === 0 ? 50 : (100 * ((closes[i] ?? 0) - bottom)) / range;
    k[i - first] = now;
    if (i >= firstShown) d[i - firstShown] = (now + before + beforeThat) / SMOOTHED;
    beforeThat = before;
    before = now;
  }
  return [k.subarray(firstShown - first), d];
}
