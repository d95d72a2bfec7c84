import { type Block, blockColumn, type Unit } from './block.ts';
import { RollingMean } from './rolling-mean.ts';

/** Lambert's constant: it puts most values between -100 and 100. */
const SCALE = 0.015;

/**
 * Commodity channel index: (typical price - mean) / (0.015 * mean deviation), where the typical price is the mean of high,
 * low and close, its mean runs over n bars, and the mean deviation is that of the same n bars from the present mean.
 *
 * Seeding: none. Warm-up: n bars. Flat market: 0.
 * Source: Donald Lambert, Commodity Channel Index: Tool for Trading Cyclic Trends, Commodities, October 1980.
 */
export class CommodityChannel implements Unit {
  readonly outputs = [blockColumn()] as const;
  readonly #typical = blockColumn();
  readonly #size: number;
  readonly #mean: RollingMean;
  #previous = Number.NaN;
  #run = 0;

  constructor(size: number) {
    this.#size = size;
    this.#mean = new RollingMean(size);
  }

  take({ highs, lows, closes, length, wanted }: Block): void {
    const [typical, [out]] = [this.#typical, this.outputs];
    for (let i = 0; i < length; i += 1) typical[i] = ((highs[i] ?? 0) + (lows[i] ?? 0) + (closes[i] ?? 0)) / 3;
    this.#mean.take(typical, length, out);
    for (let i = 0; i < length; i += 1) {
      const price = typical[i] ?? 0;
      const mean = out[i] ?? 0;
      this.#run = price === this.#previous ? this.#run + 1 : 1;
      this.#previous = price;
      if (i < wanted) continue;
      // The mean of equal values may miss them by one bit, and this quotient would make 67 of that.
      out[i] = this.#run >= this.#size ? 0 : (price - mean) / (SCALE * this.#deviation(i, mean));
    }
  }

  #deviation(i: number, mean: number): number {
    const { window } = this.#mean;
    const last = i + this.#size;
    let distance = 0;
    for (let at = i + 1; at <= last; at += 1) distance += Math.abs((window[at] ?? 0) - mean);
    return distance / this.#size;
  }
}
