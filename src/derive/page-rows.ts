import type { PageRows } from '../contract/hooks.ts';

/** Rows whose texts are made and kept together. */
const CHUNK_ROWS = 64;

interface Chunk {
  /** The texts with commas between. */
  readonly text: string;
  /** Where each row begins, and behind the last one where another would. */
  readonly starts: Uint32Array;
}

export interface PageRowsOptions {
  readonly total: number;
  readonly textOf: (place: number) => string;
  /** Told of the bytes that are kept besides what was before. */
  readonly onGrowth?: (bytes: number) => void;
}

/** Texts of rows that are made when they are first shown, and kept as few long texts. */
export function createPageRows({ total, textOf, onGrowth }: PageRowsOptions): PageRows {
  const chunks: (Chunk | undefined)[] = [];

  function chunkAt(index: number): Chunk {
    const known = chunks[index];
    if (known) return known;
    const first = index * CHUNK_ROWS;
    const count = Math.min(CHUNK_ROWS, total - first);
    const texts = Array.from({ length: count }, (_, i) => textOf(first + i));
    const starts = new Uint32Array(count + 1);
    for (const [i, text] of texts.entries()) starts[i + 1] = (starts[i] ?? 0) + text.length + 1;
    const text = texts.join(',');
    const chunk = { text, starts };
    chunks[index] = chunk;
    onGrowth?.(text.length + starts.byteLength);
    return chunk;
  }

  return {
    between(from, to) {
      const parts: string[] = [];
      for (let place = from; place < to; ) {
        const index = Math.floor(place / CHUNK_ROWS);
        const { text, starts } = chunkAt(index);
        const first = index * CHUNK_ROWS;
        const end = Math.min(to, first + starts.length - 1);
        parts.push(text.slice(starts[place - first], (starts[end - first] ?? 0) - 1));
        place = end;
      }
      return parts.join(',');
    },
  };
}
