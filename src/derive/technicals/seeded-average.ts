/**
 * An average that remembers: seeded with the plain mean of its first `size` values, then moved towards every further value
 * by a fixed share of the distance.
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

  /** Takes one value; NaN until the seed is complete. */
  next(value: number): number {
    if (this.#count === this.#size) {
      this.#average += (value - this.#average) * this.#share;
      return this.#average;
    }
    this.#count += 1;
    this.#sum += value;
    if (this.#count === this.#size) this.#average = this.#sum / this.#size;
    return this.#average;
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
