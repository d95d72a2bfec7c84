import type { Prices } from '../prices.ts';
import { seededAverage, wilderSmoothing } from './seeded-average.ts';

/**
 * Relative strength index: 100 * gain / (gain + loss), where gain and loss are Wilder averages of the upward and the
 * downward changes of the close. The same as 100 - 100 / (1 + RS), without the division by a loss of zero.
 *
 * Seeding: mean of the first n changes. Warm-up: n + 1 bars, since the first bar has no change.
 * Flat market: 50. Source: Wilder 1978.
 */
export function relativeStrength({ closes, length, firstShown }: Prices, size: number): Float64Array {
  const gains = new Float64Array(length);
  const losses = new Float64Array(length);
  // The first bar has no change.
  gains.fill(Number.NaN, 0, 1);
  losses.fill(Number.NaN, 0, 1);
  for (let i = 1; i < length; i += 1) {
    const change = (closes[i] ?? 0) - (closes[i - 1] ?? 0);
    if (change > 0) gains[i] = change;
    else losses[i] = 0 - change;
  }
  seededAverage(gains, wilderSmoothing(size), gains);
  seededAverage(losses, wilderSmoothing(size), losses);
  const out = gains.subarray(firstShown);
  for (let i = firstShown; i < length; i += 1) {
    const gain = gains[i] ?? 0;
    const both = gain + (losses[i] ?? 0);
    out[i - firstShown] = both === 0 ? 50 : (100 * gain) / both;
  }
  return out;
}
