import { wilderAverage } from './seeded-average.ts';

/**
 * Relative strength index: 100 * gain / (gain + loss), where gain and loss are Wilder averages of the upward and the
 * downward changes of the close. The same as 100 - 100 / (1 + RS), without the division by a loss of zero.
 *
 * Seeding: mean of the first n changes. Warm-up: n + 1 bars, since the first bar has no change.
 * Flat market: 50. Source: Wilder 1978.
 */
export class RelativeStrength {
  readonly #gains;
  readonly #losses;
  #previous = Number.NaN;

  constructor(size: number) {
    this.#gains = wilderAverage(size);
    this.#losses = wilderAverage(size);
  }

  next(close: number): number {
    const change = close - this.#previous;
    this.#previous = close;
    if (Number.isNaN(change)) return Number.NaN;
    const gain = this.#gains.next(Math.max(change, 0));
    const loss = this.#losses.next(Math.max(-change, 0));
    return gain === 0 && loss === 0 ? 50 : (100 * gain) / (gain + loss);
  }
}
