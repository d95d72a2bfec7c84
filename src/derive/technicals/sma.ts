import { type Block, blockColumn, type Unit } from './block.ts';
import { RollingMean } from './rolling-mean.ts';

/**
 * Simple moving average: mean of the last n closes.
 *
 * Seeding: none. Warm-up: the value starts on the n-th bar. Source: common to all textbooks.
 */
export class SimpleAverage implements Unit {
  readonly outputs = [blockColumn()] as const;
  readonly #mean: RollingMean;

  constructor(size: number) {
    this.#mean = new RollingMean(size);
  }

  take({ closes, length }: Block): void {
    this.#mean.take(closes, length, this.outputs[0]);
  }
}
