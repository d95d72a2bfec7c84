/**
 * Sum of the last `size` values: one addition and one subtraction a value. What each of them rounds away is kept beside
 * the sum (Knuth's TwoSum), so that the result is as good as a fresh sum after any number of rows.
 */
export class RollingSum {
  /** The values of the window, in no particular order once it is full. */
  readonly values: Float64Array;
  readonly #size: number;
  #count = 0;
  #slot = 0;
  #sum = 0;
  #lost = 0;

  constructor(size: number) {
    this.#size = size;
    this.values = new Float64Array(size);
  }

  /** Takes one value; NaN until the window is full. */
  next(value: number): number {
    if (this.#count === this.#size) this.#add(-(this.values[this.#slot] ?? 0));
    else this.#count += 1;
    this.#add(value);
    this.values[this.#slot] = value;
    this.#slot = this.#slot + 1 === this.#size ? 0 : this.#slot + 1;
    return this.#count === this.#size ? this.#sum + this.#lost : Number.NaN;
  }

  #add(value: number): void {
    const sum = this.#sum + value;
    const taken = sum - this.#sum;
    this.#lost += this.#sum - (sum - taken) + (value - taken);
    this.#sum = sum;
  }
}
