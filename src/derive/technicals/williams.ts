import { Highest, Lowest } from './extremes.ts';

/**
 * Williams %R: -100 * (highest high - close) / (highest high - lowest low) over n bars.
 *
 * Seeding: none. Warm-up: n bars. Flat market: -50.
 * Source: Larry Williams, How I Made One Million Dollars Last Year Trading Commodities, 1973.
 */
export class WilliamsRange {
  readonly #highest: Highest;
  readonly #lowest: Lowest;

  constructor(size: number) {
    this.#highest = new Highest(size);
    this.#lowest = new Lowest(size);
  }

  next(high: number, low: number, close: number): number {
    const top = this.#highest.next(high);
    const bottom = this.#lowest.next(low);
    return top === bottom ? -50 : (100 * (close - top)) / (top - bottom);
  }
}
