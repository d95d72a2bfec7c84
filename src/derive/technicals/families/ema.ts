import type { Prices } from '../prices.ts';
import { type Smoothing, seededAverage } from './seeded-average.ts';

/** The smoothing of an exponential average of n days: a share of 2 / (n + 1). */
export function exponentialSmoothing(size: number): Smoothing {
  return { size, share: 2 / (size + 1) };
}

/**
 * Exponential moving average of the close: average + (close - average) * 2 / (n + 1).
 *
 * Seeding: simple mean of the first n closes, not the first close alone. Warm-up: the value starts on the n-th bar.
 * Source: Gerald Appel's form of exponential smoothing; seeded as in the worksheets of StockCharts ChartSchool.
 */
export function exponentialAverage({ closes, firstShown }: Prices, size: number): Float64Array {
  return seededAverage(closes, exponentialSmoothing(size)).subarray(firstShown);
}
