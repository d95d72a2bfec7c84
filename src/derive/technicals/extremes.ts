/**
 * Highest of the last `size` values, with constant work a row whatever the order (van Herk, Gil and Werman): values come
 * in groups of `size`, and a window is the tail of one group and the head of the next. The highest of the head grows with
 * each value; the highest of every tail is worked out once, when its group is complete. With a sign of -1 all of it is
 * done on the negatives, which makes it the lowest.
 */
class Extreme {
  readonly #sign: 1 | -1;
  /** Before `#slot` the values of this group; from there on the tails of the group before. */
  readonly #group: Float64Array;
  #slot = 0;
  #head = Number.NEGATIVE_INFINITY;
  #full = false;

  constructor(size: number, sign: 1 | -1) {
    this.#sign = sign;
    this.#group = new Float64Array(size);
  }

  /** Takes `length` values and writes the extreme at each, NaN until the window is full. */
  take(values: Float64Array, length: number, out: Float64Array): void {
    const group = this.#group;
    const sign = this.#sign;
    let slot = this.#slot;
    let head = this.#head;
    for (let i = 0; i < length; i += 1) {
      const value = sign * (values[i] ?? 0);
      head = Math.max(head, value);
      group[slot] = value;
      slot += 1;
      if (slot === group.length) {
        out[i] = sign * head;
        this.#closeGroup();
        slot = 0;
        head = Number.NEGATIVE_INFINITY;
      } else out[i] = this.#full ? sign * Math.max(head, group[slot] ?? head) : Number.NaN;
    }
    this.#slot = slot;
    this.#head = head;
  }

  #closeGroup(): void {
    const group = this.#group;
    let tail = Number.NEGATIVE_INFINITY;
    for (let i = group.length - 1; i >= 0; i -= 1) {
      tail = Math.max(tail, group[i] ?? tail);
      group[i] = tail;
    }
    this.#full = true;
  }
}

/** Highest of the last `size` values. */
export function highest(size: number): Extreme {
  return new Extreme(size, 1);
}

/** Lowest of the last `size` values. */
export function lowest(size: number): Extreme {
  return new Extreme(size, -1);
}
