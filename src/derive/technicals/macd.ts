import { exponentialAverage } from './ema.ts';

/**
 * Moving average convergence divergence: short exponential average less the long one; the signal line, an exponential
 * average of that difference; and the histogram, difference less signal.
 *
 * Seeding: as the exponential average, the signal with the mean of its first differences.
 * Warm-up for 12, 26, 9: 26 bars, signal and histogram 34. Source: Gerald Appel, 1970s.
 */
export class Macd {
  macd = Number.NaN;
  signal = Number.NaN;
  histogram = Number.NaN;
  readonly #short;
  readonly #long;
  readonly #signal;

  constructor(short: number, long: number, signal: number) {
    this.#short = exponentialAverage(short);
    this.#long = exponentialAverage(long);
    this.#signal = exponentialAverage(signal);
  }

  next(close: number): void {
    this.macd = this.#short.next(close) - this.#long.next(close);
    // The signal starts with the first difference: a NaN taken into its seed would never leave it.
    if (Number.isNaN(this.macd)) return;
    this.signal = this.#signal.next(this.macd);
    this.histogram = this.macd - this.signal;
  }
}
