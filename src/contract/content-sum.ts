/** A checksum over texts and numbers in their order. */
export interface ContentSum {
  add(text: string): void;
  /** The numbers from one place to before another; every NaN is the same. */
  addNumbers(values: Float64Array, from: number, to: number): void;
  /** 16 hexadecimal digits. */
  read(): string;
}

/**
 * A sum of 64 bits that finds changes, not forgeries. SHA-256 in JavaScript would slow down a command that asks one
 * question. Two words are multiplied by odd numbers, as in FNV, and mixed as in MurmurHash3.
 */
export function createContentSum(): ContentSum {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  const one = new Float64Array(1);
  const words = new Uint32Array(one.buffer);
  const addWord = (word: number): void => {
    low = Math.imul(low ^ word, 0x85ebca6b);
    low ^= low >>> 15;
    high = Math.imul(high ^ word, 0xc2b2ae35);
    high ^= high >>> 13;
  };
  return {
    add(text) {
      // The length first, so that no two lists are one text.
      addWord(text.length);
      for (let i = 0; i < text.length; i += 2)
        addWord(text.charCodeAt(i) | ((i + 1 < text.length ? text.charCodeAt(i + 1) : 0) << 16));
    },
    addNumbers(values, from, to) {
      addWord(to - from);
      for (let i = from; i < to; i += 1) {
        const value = values[i] ?? Number.NaN;
        // The bits of a NaN differ by where it came from.
        one[0] = Number.isNaN(value) ? Number.NaN : value;
        addWord(words[0] ?? 0);
        addWord(words[1] ?? 0);
      }
    },
    read: () => [high, low].map((word) => (mixed(word) >>> 0).toString(16).padStart(8, '0')).join(''),
  };
}

/** The finalizer of MurmurHash3: https://github.com/aappleby/smhasher/wiki/MurmurHash3 */
function mixed(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

export function contentSumOf(texts: Iterable<string>): string {
  const sum = createContentSum();
  for (const text of texts) sum.add(text);
  return sum.read();
}
