import { Highest, Lowest } from './extremes.ts';

/**
 * Donchian channel: highest high and lowest low of the last n bars, the present one included, and the middle between them.
 *
 * Seeding: none. Warm-up: n bars. Source: Richard Donchian's four-week rule, 1960s.
 */
export class DonchianChannel {
  upper = Number.NaN;
  middle = Number.NaN;
  lower = Number.NaN;
  readonly #highest: Highest;
  readonly #lowest: Lowest;

  constructor(size: number) {
    this.#highest = new Highest(size);
    this.#lowest = new Lowest(size);
  }

  next(high: number, low: number): void {
    this.upper = this.#highest.next(high);
    this.lower = this.#lowest.next(low);
    this.middle = (this.upper + this.lower) / 2;
  }
}
