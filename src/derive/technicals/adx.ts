import { type Block, blockColumn, type Unit } from './block.ts';
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
export class AverageDirectionalIndex implements Unit {
  readonly outputs = [blockColumn()] as const;
  readonly #rises = blockColumn();
  readonly #falls = blockColumn();
  readonly #plus;
  readonly #minus;
  readonly #index;
  #high = Number.NaN;
  #low = Number.NaN;

  constructor(size: number) {
    this.#plus = wilderAverage(size);
    this.#minus = wilderAverage(size);
    this.#index = wilderAverage(size);
  }

  take(block: Block): void {
    const [rises, falls, [out]] = [this.#rises, this.#falls, this.outputs];
    const { length } = block;
    this.#measure(block);
    this.#plus.take(rises, length, rises);
    this.#minus.take(falls, length, falls);
    for (let i = 0; i < length; i += 1) {
      const plus = rises[i] ?? 0;
      const minus = falls[i] ?? 0;
      out[i] = plus + minus === 0 ? 0 : (100 * Math.abs(plus - minus)) / (plus + minus);
    }
    this.#index.take(out, length, out);
  }

  /** The directional movements of the block; NaN on the first bar of all, which has none. */
  #measure({ highs, lows, length }: Block): void {
    for (let i = 0; i < length; i += 1) {
      const high = highs[i] ?? 0;
      const low = lows[i] ?? 0;
      const rise = high - this.#high;
      const fall = this.#low - low;
      const nothing = Number.isNaN(rise) ? rise : 0;
      this.#rises[i] = rise > fall && rise > 0 ? rise : nothing;
      this.#falls[i] = fall > rise && fall > 0 ? fall : nothing;
      this.#high = high;
      this.#low = low;
    }
  }
}
