import { type Block, blockColumn, type Unit } from './block.ts';
import { SeededAverage } from './seeded-average.ts';

/** The smoothing of an exponential average of n days: a share of 2 / (n + 1). */
export function exponentialSmoothing(size: number): SeededAverage {
  return new SeededAverage(size, 2 / (size + 1));
}

/**
 * Exponential moving average of the close: average + (close - average) * 2 / (n + 1).
 *
 * Seeding: simple mean of the first n closes, not the first close alone. Warm-up: the value starts on the n-th bar.
 * Source: Gerald Appel's form of exponential smoothing; seeded as in the worksheets of StockCharts ChartSchool.
 */
export class ExponentialAverage implements Unit {
  readonly outputs = [blockColumn()] as const;
  readonly #average: SeededAverage;

  constructor(size: number) {
    this.#average = exponentialSmoothing(size);
  }

  take({ closes, length }: Block): void {
    this.#average.take(closes, length, this.outputs[0]);
  }
}
