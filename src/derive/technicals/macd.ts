import { type Block, blockColumn, type Unit } from './block.ts';
import { exponentialSmoothing } from './ema.ts';

/**
 * Moving average convergence divergence: short exponential average less the long one; the signal line, an exponential
 * average of that difference; and the histogram, difference less signal.
 *
 * Seeding: as the exponential average, the signal with the mean of its first differences.
 * Warm-up for 12, 26, 9: 26 bars, signal and histogram 34. Source: Gerald Appel, 1970s.
 */
export class Macd implements Unit {
  /** MACD, signal, histogram. */
  readonly outputs = [blockColumn(), blockColumn(), blockColumn()] as const;
  readonly #short;
  readonly #long;
  readonly #signal;

  constructor(short: number, long: number, signal: number) {
    this.#short = exponentialSmoothing(short);
    this.#long = exponentialSmoothing(long);
    this.#signal = exponentialSmoothing(signal);
  }

  take({ closes, length }: Block): void {
    const [macd, signal, histogram] = this.outputs;
    this.#short.take(closes, length, macd);
    this.#long.take(closes, length, signal);
    for (let i = 0; i < length; i += 1) macd[i] = (macd[i] ?? 0) - (signal[i] ?? 0);
    this.#signal.take(macd, length, signal);
    for (let i = 0; i < length; i += 1) histogram[i] = (macd[i] ?? 0) - (signal[i] ?? 0);
  }
}
