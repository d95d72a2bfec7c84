import { BLOCK_ROWS } from './block.ts';

/**
 * Mean of the last `size` values: one addition and one subtraction a value. What each of them rounds away is kept beside
 * the sum (Knuth's TwoSum), so that the mean is as good as one of a fresh sum after any number of rows.
 */
export class RollingMean {
  /** The values of the block after the `size` before it: the window that ends with value i starts at i + 1. */
  readonly window: Float64Array;
  readonly #size: number;
  #taken = 0;
  #missing: number;
  #sum = 0;
  #lost = 0;

  constructor(size: number) {
    this.#size = size;
    this.#missing = size;
    this.window = new Float64Array(size + BLOCK_ROWS);
  }

  /** Takes `length` values and writes a mean for each, NaN until the window is full. */
  take(values: Float64Array, length: number, out: Float64Array): void {
    this.#remember(values, length);
    const { window } = this;
    const size = this.#size;
    const firstFull = this.#missing - 1;
    let sum = this.#sum;
    let lost = this.#lost;
    for (let i = 0; i < length; i += 1) {
      // Before the window is full it is a zero that leaves.
      const leaving = -(window[i] ?? 0);
      const without = sum + leaving;
      const left = without - sum;
      const coming = values[i] ?? 0;
      const next = without + coming;
      const came = next - without;
      lost += sum - (without - left) + (leaving - left) + (without - (next - came) + (coming - came));
      sum = next;
      out[i] = i < firstFull ? Number.NaN : (sum + lost) / size;
    }
    this.#missing = Math.max(0, this.#missing - length);
    this.#sum = sum;
    this.#lost = lost;
  }

  #remember(values: Float64Array, length: number): void {
    this.window.copyWithin(0, this.#taken, this.#taken + this.#size);
    for (let i = 0; i < length; i += 1) this.window[this.#size + i] = values[i] ?? 0;
    this.#taken = length;
  }
}
