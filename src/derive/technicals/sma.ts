import { RollingSum } from './rolling-sum.ts';

/**
 * Simple moving average: mean of the last n closes.
 *
 * Seeding: none. Warm-up: the value starts on the n-th bar. Source: common to all textbooks.
 */
export class SimpleAverage {
  readonly #size: number;
  readonly #sum: RollingSum;

  constructor(size: number) {
    this.#size = size;
    this.#sum = new RollingSum(size);
  }

  next(close: number): number {
    return this.#sum.next(close) / this.#size;
  }
}
