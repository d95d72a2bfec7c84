import { RollingSum } from './rolling-sum.ts';

/** Lambert's constant: it puts most values between -100 and 100. */
const SCALE = 0.015;

/**
 * Commodity channel index: (typical price - mean) / (0.015 * mean deviation), where the typical price is the mean of high,
 * low and close, its mean runs over n bars, and the mean deviation is that of the same n bars from the present mean.
 *
 * Seeding: none. Warm-up: n bars. Flat market: 0.
 * Source: Donald Lambert, Commodity Channel Index: Tool for Trading Cyclic Trends, Commodities, October 1980.
 */
export class CommodityChannel {
  readonly #size: number;
  readonly #sum: RollingSum;
  #previous = Number.NaN;
  #run = 0;

  constructor(size: number) {
    this.#size = size;
    this.#sum = new RollingSum(size);
  }

  next(high: number, low: number, close: number): number {
    const typical = (high + low + close) / 3;
    this.#run = typical === this.#previous ? this.#run + 1 : 1;
    this.#previous = typical;
    const mean = this.#sum.next(typical) / this.#size;
    if (Number.isNaN(mean)) return mean;
    // The mean of equal values may miss them by one bit, and this quotient would make 67 of that.
    if (this.#run >= this.#size) return 0;
    const { values } = this.#sum;
    let distance = 0;
    for (let i = 0; i < values.length; i += 1) distance += Math.abs((values[i] ?? 0) - mean);
    return (typical - mean) / ((SCALE * distance) / this.#size);
  }
}
