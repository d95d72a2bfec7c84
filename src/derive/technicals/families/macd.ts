import type { Prices } from '../prices.ts';
import { exponentialSmoothing } from './ema.ts';
import { seededAverage } from './seeded-average.ts';

/**
 * Moving average convergence divergence: short exponential average less the long one; the signal line, an exponential
 * average of that difference; and the histogram, difference less signal.
 *
 * Seeding: as the exponential average, the signal with the mean of its first differences.
 * Warm-up for 12, 26, 9: 26 bars, signal and histogram 34. Source: Gerald Appel, 1970s.
 *
 * Gives MACD, signal, histogram.
 */
export function macd(
  { closes, length, firstShown }: Prices,
  sizes: { readonly short: number; readonly long: number; readonly signal: number },
): readonly Float64Array[] {
  const line = seededAverage(closes, exponentialSmoothing(sizes.short));
  const long = seededAverage(closes, exponentialSmoothing(sizes.long));
  for (let i = 0; i < length; i += 1) line[i] = (line[i] ?? 0) - (long[i] ?? 0);
  const signal = seededAverage(line, exponentialSmoothing(sizes.signal), long);
  const histogram = new Float64Array(length - firstShown);
  for (let i = firstShown; i < length; i += 1) histogram[i - firstShown] = (line[i] ?? 0) - (signal[i] ?? 0);
  return [line.subarray(firstShown), signal.subarray(firstShown), histogram];
}
