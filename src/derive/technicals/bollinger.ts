import { type Block, blockColumn, type Unit } from './block.ts';
import { RollingMean } from './rolling-mean.ts';

/**
 * Bollinger bands: the simple mean of the last n closes, and so many population standard deviations of the same closes
 * (divided by n, not by n - 1) above and below it.
 *
 * Seeding: none. Warm-up: n bars. Source: John Bollinger, Bollinger on Bollinger Bands, 2001.
 */
export class BollingerBands implements Unit {
  /** Upper, middle, lower. */
  readonly outputs = [blockColumn(), blockColumn(), blockColumn()] as const;
  readonly #size: number;
  readonly #width: number;
  readonly #mean: RollingMean;

  constructor(size: number, width: number) {
    this.#size = size;
    this.#width = width;
    this.#mean = new RollingMean(size);
  }

  take({ closes, length, wanted }: Block): void {
    const [upper, middle, lower] = this.outputs;
    this.#mean.take(closes, length, middle);
    for (let i = wanted; i < length; i += 1) {
      const mean = middle[i] ?? 0;
      const distance = this.#width * this.#deviation(i, mean);
      upper[i] = mean + distance;
      lower[i] = mean - distance;
    }
  }

  /** A running sum of squares would lose the digits that matter where the price is large against its movement. */
  #deviation(i: number, mean: number): number {
    const { window } = this.#mean;
    const last = i + this.#size;
    let squares = 0;
    for (let at = i + 1; at <= last; at += 1) squares += ((window[at] ?? 0) - mean) ** 2;
    return Math.sqrt(squares / this.#size);
  }
}
