/**
 * Highest of the last `size` values. Kept are only the values that can still become the highest, falling from the head;
 * each value enters and leaves once, so the work a row is constant on average, whatever the order.
 */
export class Highest {
  readonly #size: number;
  readonly #values: Float64Array;
  readonly #rows: Int32Array;
  #head = 0;
  #kept = 0;
  #row = 0;

  constructor(size: number) {
    this.#size = size;
    this.#values = new Float64Array(size);
    this.#rows = new Int32Array(size);
  }

  /** Takes one value; NaN until the window is full. */
  next(value: number): number {
    const row = this.#row;
    this.#row = row + 1;
    if (this.#kept > 0 && (this.#rows[this.#head] ?? 0) <= row - this.#size) {
      this.#head = this.#wrap(this.#head + 1);
      this.#kept -= 1;
    }
    while (this.#kept > 0 && (this.#values[this.#wrap(this.#head + this.#kept - 1)] ?? 0) <= value) this.#kept -= 1;
    const slot = this.#wrap(this.#head + this.#kept);
    this.#values[slot] = value;
    this.#rows[slot] = row;
    this.#kept += 1;
    return row + 1 < this.#size ? Number.NaN : (this.#values[this.#head] ?? Number.NaN);
  }

  #wrap(slot: number): number {
    return slot >= this.#size ? slot - this.#size : slot;
  }
}

/** Lowest of the last `size` values: the highest of their negatives. */
export class Lowest {
  readonly #negatives: Highest;

  constructor(size: number) {
    this.#negatives = new Highest(size);
  }

  next(value: number): number {
    return -this.#negatives.next(-value);
  }
}
