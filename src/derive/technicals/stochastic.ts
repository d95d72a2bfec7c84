import { Highest, Lowest } from './extremes.ts';
import { SimpleAverage } from './sma.ts';

/**
 * Fast stochastic oscillator: %K = 100 * (close - lowest low) / (highest high - lowest low) over n bars, and %D, the
 * simple mean of the last m values of %K.
 *
 * Seeding: none. Warm-up: n bars for %K, n + m - 1 for %D. Flat market: %K 50. Source: George Lane, 1950s.
 */
export class Stochastic {
  k = Number.NaN;
  d = Number.NaN;
  readonly #highest: Highest;
  readonly #lowest: Lowest;
  readonly #mean: SimpleAverage;

  constructor(size: number, smoothing: number) {
    this.#highest = new Highest(size);
    this.#lowest = new Lowest(size);
    this.#mean = new SimpleAverage(smoothing);
  }

  next(high: number, low: number, close: number): void {
    const top = this.#highest.next(high);
    const bottom = this.#lowest.next(low);
    if (Number.isNaN(top)) return;
    this.k = top === bottom ? 50 : (100 * (close - bottom)) / (top - bottom);
    this.d = this.#mean.next(this.k);
  }
}
