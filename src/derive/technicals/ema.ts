import { SeededAverage } from './seeded-average.ts';

/**
 * Exponential moving average of the close: average + (close - average) * 2 / (n + 1).
 *
 * Seeding: simple mean of the first n closes, not the first close alone. Warm-up: the value starts on the n-th bar.
 * Source: Gerald Appel's form of exponential smoothing; seeded as in the worksheets of StockCharts ChartSchool.
 */
export function exponentialAverage(size: number): SeededAverage {
  return new SeededAverage(size, 2 / (size + 1));
}
