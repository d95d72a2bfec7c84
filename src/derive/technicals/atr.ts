import { type Block, blockColumn, type Unit } from './block.ts';
import { wilderAverage } from './seeded-average.ts';

/**
 * Average true range: Wilder average of the greatest of high - low, |high - previous close| and |low - previous close|.
 *
 * Seeding: mean of the first n true ranges, of which the first is high - low, for want of a previous close.
 * Warm-up: n bars. Source: Wilder 1978.
 */
export class AverageTrueRange implements Unit {
  readonly outputs = [blockColumn()] as const;
  readonly #range;
  #previous = Number.NaN;

  constructor(size: number) {
    this.#range = wilderAverage(size);
  }

  take({ highs, lows, closes, length }: Block): void {
    const [ranges] = this.outputs;
    let previous = this.#previous;
    for (let i = 0; i < length; i += 1) {
      const high = highs[i] ?? 0;
      const low = lows[i] ?? 0;
      const first = Number.isNaN(previous);
      ranges[i] = first ? high - low : Math.max(high - low, Math.abs(high - previous), Math.abs(low - previous));
      previous = closes[i] ?? 0;
    }
    this.#previous = previous;
    this.#range.take(ranges, length, ranges);
  }
}
