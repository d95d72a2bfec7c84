/**
 * Highest of the last `size` values, with constant work a row whatever the order (van Herk, Gil and Werman): values come
 * in groups of `size`, and a window is the tail of one group and the head of the next. The highest of the head grows with
 * each value; the highest of every tail is worked out once, when its group is complete.
 */
export class Highest {
  readonly #size: number;
  /** Before `#slot` the values of this group; from there on the tails of the group before. */
  readonly #group: Float64Array;
  #slot = 0;
  #head = Number.NEGATIVE_INFINITY;
  #full = false;

  constructor(size: number) {
    this.#size = size;
    this.#group = new Float64Array(size);
  }

  /** Takes one value; NaN until the window is full. */
  next(value: number): number {
    const head = Math.max(this.#head, value);
    this.#group[this.#slot] = value;
    this.#slot += 1;
    if (this.#slot === this.#size) {
      this.#closeGroup();
      return head;
    }
    this.#head = head;
    return this.#full ? Math.max(head, this.#group[this.#slot] ?? head) : Number.NaN;
  }

  #closeGroup(): void {
    const group = this.#group;
    let tail = Number.NEGATIVE_INFINITY;
    for (let i = group.length - 1; i >= 0; i -= 1) {
      tail = Math.max(tail, group[i] ?? tail);
      group[i] = tail;
    }
    this.#slot = 0;
    this.#head = Number.NEGATIVE_INFINITY;
    this.#full = true;
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
