import { wilderAverage } from './seeded-average.ts';

/**
 * Average directional index: Wilder average of DX = 100 * |+DI - -DI| / (+DI + -DI). A day's directional movement is the
 * larger of its rise of the high and its fall of the low, when positive; the other side is 0, and both are when they tie.
 * +DI and -DI are Wilder averages of it over the same true range, which therefore cancels out of DX.
 *
 * Seeding: mean of the first n movements, then mean of the first n values of DX.
 * Warm-up: 2n bars: one without a movement, n movements for the first DX, and n - 1 more of it.
 * Flat market: 0. Source: Wilder 1978.
 */
export class AverageDirectionalIndex {
  readonly #rises;
  readonly #falls;
  readonly #strength;
  #high = Number.NaN;
  #low = Number.NaN;

  constructor(size: number) {
    this.#rises = wilderAverage(size);
    this.#falls = wilderAverage(size);
    this.#strength = wilderAverage(size);
  }

  next(high: number, low: number): number {
    const rise = high - this.#high;
    const fall = this.#low - low;
    this.#high = high;
    this.#low = low;
    if (Number.isNaN(rise)) return Number.NaN;
    const plus = this.#rises.next(rise > fall && rise > 0 ? rise : 0);
    const minus = this.#falls.next(fall > rise && fall > 0 ? fall : 0);
    if (Number.isNaN(plus)) return Number.NaN;
    const both = plus + minus;
    return this.#strength.next(both === 0 ? 0 : (100 * Math.abs(plus - minus)) / both);
  }
}
