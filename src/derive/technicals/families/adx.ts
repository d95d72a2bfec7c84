import type { Prices } from '../prices.ts';
import { seededAverage, wilderSmoothing } from './seeded-average.ts';

/**
 * Average directional index: Wilder average of DX = 100 * |+DI - -DI| / (+DI + -DI). A day's directional movement is the
 * larger of its rise of the high and its fall of the low, when positive; the other side is 0, and both are when they tie.
 * +DI and -DI are Wilder averages of it over the same true range, which therefore cancels out of DX.
 *
 * Seeding: mean of the first n movements, then mean of the first n values of DX.
 * Warm-up: 2n bars: one without a movement, n movements for the first DX, and n - 1 more of it.
 * Flat market: 0. Source: Wilder 1978.
 */
export function averageDirectionalIndex(prices: Prices, size: number): Float64Array {
  const { length, firstShown } = prices;
  const smoothing = wilderSmoothing(size);
  const { rises, falls } = movements(prices);
  seededAverage(rises, smoothing, rises);
  seededAverage(falls, smoothing, falls);
  for (let i = 0; i < length; i += 1) {
    const plus = rises[i] ?? 0;
    const minus = falls[i] ?? 0;
    rises[i] = plus + minus === 0 ? 0 : (100 * Math.abs(plus - minus)) / (plus + minus);
  }
  return seededAverage(rises, smoothing, rises).subarray(firstShown);
}

/** The directional movements; NaN on the first bar, which has none. */
function movements({ highs, lows, length }: Prices): { rises: Float64Array; falls: Float64Array } {
  const rises = new Float64Array(length);
  const falls = new Float64Array(length);
  let [highBefore, lowBefore] = [Number.NaN, Number.NaN];
  for (let i = 0; i < length; i += 1) {
    const high = highs[i] ?? 0;
    const low = lows[i] ?? 0;
    const rise = high - highBefore;
    const fall = lowBefore - low;
    const nothing = Number.isNaN(rise) ? rise : 0;
    rises[i] = rise > fall && rise > 0 ? rise : nothing;
    falls[i] = fall > rise && fall > 0 ? fall : nothing;
    highBefore = high;
    lowBefore = low;
  }
  return { rises, falls };
}
