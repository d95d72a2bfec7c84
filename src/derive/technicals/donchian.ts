import { type Block, blockColumn, type Unit } from './block.ts';
import { highest, lowest } from './extremes.ts';

/**
 * Donchian channel: highest high and lowest low of the last n bars, the present one included, and the middle between them.
 *
 * Seeding: none. Warm-up: n bars. Source: Richard Donchian's four-week rule, 1960s.
 */
export class DonchianChannel implements Unit {
  /** Upper, middle, lower. */
  readonly outputs = [blockColumn(), blockColumn(), blockColumn()] as const;
  readonly #highest;
  readonly #lowest;

  constructor(size: number) {
    this.#highest = highest(size);
    this.#lowest = lowest(size);
  }

  take({ highs, lows, length }: Block): void {
    const [upper, middle, lower] = this.outputs;
    this.#highest.take(highs, length, upper);
    this.#lowest.take(lows, length, lower);
    for (let i = 0; i < length; i += 1) middle[i] = ((upper[i] ?? 0) + (lower[i] ?? 0)) / 2;
  }
}
