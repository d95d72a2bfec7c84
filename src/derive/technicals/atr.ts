import { wilderAverage } from './seeded-average.ts';

/**
 * Average true range: Wilder average of the greatest of high - low, |high - previous close| and |low - previous close|.
 *
 * Seeding: mean of the first n true ranges, of which the first is high - low, for want of a previous close.
 * Warm-up: n bars. Source: Wilder 1978.
 */
export class AverageTrueRange {
  readonly #ranges;
  #previous = Number.NaN;

  constructor(size: number) {
    this.#ranges = wilderAverage(size);
  }

  next(high: number, low: number, close: number): number {
    const previous = this.#previous;
    this.#previous = close;
    if (Number.isNaN(previous)) return this.#ranges.next(high - low);
    return this.#ranges.next(Math.max(high - low, Math.abs(high - previous), Math.abs(low - previous)));
  }
}
