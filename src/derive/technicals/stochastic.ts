import { type Block, blockColumn, type Unit } from './block.ts';
import { highest, lowest } from './extremes.ts';

/**
 * Fast stochastic oscillator: %K = 100 * (close - lowest low) / (highest high - lowest low) over n bars, and %D, the
 * simple mean of the last three values of %K.
 *
 * Seeding: none. Warm-up: n bars for %K, n + 2 for %D. Flat market: %K 50. Source: George Lane, 1950s.
 */
export class Stochastic implements Unit {
  /** %K, %D. */
  readonly outputs = [blockColumn(), blockColumn()] as const;
  readonly #tops = blockColumn();
  readonly #bottoms = blockColumn();
  readonly #highest;
  readonly #lowest;
  #before = Number.NaN;
  #beforeThat = Number.NaN;

  constructor(size: number) {
    this.#highest = highest(size);
    this.#lowest = lowest(size);
  }

  take({ highs, lows, closes, length }: Block): void {
    const [tops, bottoms, [k, d]] = [this.#tops, this.#bottoms, this.outputs];
    this.#highest.take(highs, length, tops);
    this.#lowest.take(lows, length, bottoms);
    for (let i = 0; i < length; i += 1) {
      const bottom = bottoms[i] ?? 0;
      const range = (tops[i] ?? 0) - bottom;
      const now = range === 0 ? 50 : (100 * ((closes[i] ?? 0) - bottom)) / range;
      k[i] = now;
      d[i] = (now + this.#before + this.#beforeThat) / 3;
      this.#beforeThat = this.#before;
      this.#before = now;
    }
  }
}
