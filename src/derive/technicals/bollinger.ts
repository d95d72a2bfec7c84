import { RollingSum } from './rolling-sum.ts';

/**
 * Bollinger bands: the simple mean of the last n closes, and so many population standard deviations of the same closes
 * (divided by n, not by n - 1) above and below it.
 *
 * Seeding: none. Warm-up: n bars. Source: John Bollinger, Bollinger on Bollinger Bands, 2001.
 */
export class BollingerBands {
  upper = Number.NaN;
  middle = Number.NaN;
  lower = Number.NaN;
  readonly #size: number;
  readonly #width: number;
  readonly #sum: RollingSum;

  constructor(size: number, width: number) {
    this.#size = size;
    this.#width = width;
    this.#sum = new RollingSum(size);
  }

  next(close: number): void {
    const mean = this.#sum.next(close) / this.#size;
    if (Number.isNaN(mean)) return;
    // A running sum of squares would lose the digits that matter where the price is large against its movement.
    const { values } = this.#sum;
    let squares = 0;
    for (let i = 0; i < values.length; i += 1) squares += ((values[i] ?? 0) - mean) ** 2;
    const distance = this.#width * Math.sqrt(squares / this.#size);
    this.upper = mean + distance;
    this.middle = mean;
    this.lower = mean - distance;
  }
}
