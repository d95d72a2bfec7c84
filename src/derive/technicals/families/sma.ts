import type { Prices } from '../prices.ts';
import { rollingMeans } from './rolling-mean.ts';

/**
 * Simple moving average: mean of the last n closes.
 *
 * Seeding: none. Warm-up: the value starts on the n-th bar. Source: common to all textbooks.
 */
export function simpleAverage({ closes, firstShown }: Prices, size: number): Float64Array {
  return rollingMeans(closes, size, firstShown);
}
