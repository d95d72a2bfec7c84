import { type Block, blockColumn, type Unit } from './block.ts';
import { wilderAverage } from './seeded-average.ts';

/**
 * Relative strength index: 100 * gain / (gain + loss), where gain and loss are Wilder averages of the upward and the
 * downward changes of the close. The same as 100 - 100 / (1 + RS), without the division by a loss of zero.
 *
 * Seeding: mean of the first n changes. Warm-up: n + 1 bars, since the first bar has no change.
 * Flat market: 50. Source: Wilder 1978.
 */
export class RelativeStrength implements Unit {
  readonly outputs = [blockColumn()] as const;
  readonly #gains = blockColumn();
  readonly #losses = blockColumn();
  readonly #gain;
  readonly #loss;
  #previous = Number.NaN;

  constructor(size: number) {
    this.#gain = wilderAverage(size);
    this.#loss = wilderAverage(size);
  }

  take({ closes, length }: Block): void {
    const [gains, losses, [out]] = [this.#gains, this.#losses, this.outputs];
    let previous = this.#previous;
    for (let i = 0; i < length; i += 1) {
      const close = closes[i] ?? 0;
      gains[i] = Math.max(close - previous, 0);
      losses[i] = Math.max(previous - close, 0);
      previous = close;
    }
    this.#previous = previous;
    this.#gain.take(gains, length, gains);
    this.#loss.take(losses, length, losses);
    for (let i = 0; i < length; i += 1) {
      const gain = gains[i] ?? 0;
      const both = gain + (losses[i] ?? 0);
      out[i] = both === 0 ? 50 : (100 * gain) / both;
    }
  }
}
