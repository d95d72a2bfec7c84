/**
 * An average that remembers: seeded with the plain mean of its first `size` values, then moved towards every further value
 * by a fixed share of the distance. Values that are not there yet (NaN) are passed by.
 */
export class SeededAverage {
  readonly #size: number;
  readonly #share: number;
  #count = 0;
  #sum = 0;
  #average = Number.NaN;

  constructor(size: number, share: number) {
    this.#size = size;
    this.#share = share;
  }

  /** Takes `length` values and writes an average for each, NaN until the seed is complete; `out` may be `values`. */
  take(values: Float64Array, length: number, out: Float64Array): void {
    let average = this.#average;
    for (let i = 0; i < length; i += 1) {
      const value = values[i] ?? Number.NaN;
      if (Number.isNaN(value)) {
        out[i] = value;
        continue;
      }
      average = this.#count === this.#size ? average + (value - average) * this.#share : this.#seed(value);
      out[i] = average;
    }
    this.#average = average;
  }

  #seed(value: number): number {
    this.#count += 1;
    this.#sum += value;
    return this.#count === this.#size ? this.#sum / this.#size : Number.NaN;
  }
}

/**
 * Wilder's smoothing: average + (value - average) / n, which is an exponential average of 2n - 1 days.
 *
 * Seeding: mean of the first n values. Warm-up: n values.
 * Source: J. Welles Wilder, New Concepts in Technical Trading Systems, 1978.
 */
export function wilderAverage(size: number): SeededAverage {
  return new SeededAverage(size, 1 / size);
}
