/** A checksum over texts and numbers in their order. */
export interface ContentSum {
  add(text: string): void;
  /** Every NaN is the same. */
  addNumber(value: number): void;
}

const DIGITS = 8;

/**
 * A sum of 64 bits that finds changes, not forgeries. SHA-256 in JavaScript would slow down a command that asks one
 * question. Two words are multiplied by odd numbers, as in FNV, and mixed as in MurmurHash3.
 */
class Sum implements ContentSum {
  #low = 0x811c9dc5;
  #high = 0x9e3779b9;

  add(text: string): void {
    // The length first, so that no two lists are one text.
    this.#addWord(text.length);
    for (let i = 0; i < text.length; i += 2)
      this.#addWord(text.charCodeAt(i) | ((i + 1 < text.length ? text.charCodeAt(i + 1) : 0) << 16));
  }

  addNumber(value: number): void {
    // The bits of a NaN differ by where it came from.
    NUMBER[0] = Number.isNaN(value) ? Number.NaN : value;
    this.#addWord(WORDS[0] ?? 0);
    this.#addWord(WORDS[1] ?? 0);
  }

  get low(): number {
    return mixed(this.#low);
  }

  get high(): number {
    return mixed(this.#high);
  }

  #addWord(word: number): void {
    this.#low = Math.imul(this.#low ^ word, 0x85ebca6b);
    this.#low ^= this.#low >>> 15;
    this.#high = Math.imul(this.#high ^ word, 0xc2b2ae35);
    this.#high ^= this.#high >>> 13;
  }
}

const NUMBER = new Float64Array(1);
const WORDS = new Uint32Array(NUMBER.buffer);

/** The finalizer of MurmurHash3: https://github.com/aappleby/smhasher/wiki/MurmurHash3 */
function mixed(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

/** 16 hexadecimal digits. */
function hexOf(high: number, low: number): string {
  return [high, low].map((word) => (word >>> 0).toString(16).padStart(DIGITS, '0')).join('');
}

/** The content sum of the texts of rows, whatever their order is. */
export function contentSumOf(texts: Iterable<string>): string {
  const rows = [...texts];
  return rowSumsOf(rows.length, (sum, place) => sum.add(rows[place] ?? ''))({ start: 0, end: rows.length });
}

/** The content sum of a range of rows, 16 hexadecimal digits. */
export type RowSums = (range: { readonly start: number; readonly end: number }) => string;

/** Sums over rows that `add` tells apart. Sums of the first rows are cached: a range is a difference. */
export function rowSumsOf(count: number, add: (sum: ContentSum, place: number) => void): RowSums {
  const lows = new Int32Array(count + 1);
  const highs = new Int32Array(count + 1);
  let summed = 0;
  const at = (sums: Int32Array, place: number) => sums[place] ?? 0;
  return ({ start, end }) => {
    for (; summed < end; summed += 1) {
      const sum = new Sum();
      add(sum, summed);
      lows[summed + 1] = at(lows, summed) + sum.low;
      highs[summed + 1] = at(highs, summed) + sum.high;
    }
    return hexOf(at(highs, end) - at(highs, start), at(lows, end) - at(lows, start));
  };
}
