import type { Prices } from '../prices.ts';
import { rollingMeans } from './rolling-mean.ts';

/**
 * Bollinger bands: the simple mean of the last n closes, and so many population standard deviations of the same closes
 * (divided by n, not by n - 1) above and below it.
 *
 * Seeding: none. Warm-up: n bars. Source: John Bollinger, Bollinger on Bollinger Bands, 2001.
 *
 * Gives upper, middle, lower.
 */
export function bollingerBands(
  { closes, length, firstShown }: Prices,
  size: number,
  width: number,
): readonly Float64Array[] {
  const middle = rollingMeans(closes, size, firstShown);
  const upper = new Float64Array(length - firstShown);
  const lower = new Float64Array(length - firstShown);
  for (let i = firstShown; i < length; i += 1) {
    const mean = middle[i - firstShown] ?? 0;
    // A running sum of squares would lose the digits that matter where the price is large against its movement.
    let squares = 0;
    for (let at = i - size + 1; at <= i; at += 1) squares += ((closes[at] ?? 0) - mean) ** 2;
    const distance = width * Math.sqrt(squares / size);
    upper[i - firstShown] = mean + distance;
    lower[i - firstShown] = mean - distance;
  }
  return [upper, middle, lower];
}
