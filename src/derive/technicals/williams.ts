import { type Block, blockColumn, type Unit } from './block.ts';
import { highest, lowest } from './extremes.ts';

/**
 * Williams %R: -100 * (highest high - close) / (highest high - lowest low) over n bars.
 *
 * Seeding: none. Warm-up: n bars. Flat market: -50.
 * Source: Larry Williams, How I Made One Million Dollars Last Year Trading Commodities, 1973.
 */
export class WilliamsRange implements Unit {
  readonly outputs = [blockColumn()] as const;
  readonly #bottoms = blockColumn();
  readonly #highest;
  readonly #lowest;

  constructor(size: number) {
    this.#highest = highest(size);
    this.#lowest = lowest(size);
  }

  take({ highs, lows, closes, length }: Block): void {
    const [bottoms, [out]] = [this.#bottoms, this.outputs];
    this.#highest.take(highs, length, out);
    this.#lowest.take(lows, length, bottoms);
    for (let i = 0; i < length; i += 1) {
      const top = out[i] ?? 0;
      const range = top - (bottoms[i] ?? 0);
      out[i] = range === 0 ? -50 : (100 * ((closes[i] ?? 0) - top)) / range;
    }
  }
}
