import type { Envelope, FurtherPages } from '../contract/hooks.ts';
import type { PageRows } from '../contract/json/body.ts';

/** Rows whose texts are made and kept together. */
const CHUNK_ROWS = 64;

interface Chunk {
  /** The texts, each with a comma behind it. */
  readonly bytes: Uint8Array;
  /** Where each row begins, and behind the last one where another would. */
  readonly starts: Uint32Array;
}

export interface PageRowsOptions {
  readonly total: number;
  readonly textOf: (place: number) => string;
  /** Told of the bytes that are kept besides what was before. */
  readonly onGrowth?: (bytes: number) => void;
}

const encoder = new TextEncoder();

/** Texts of rows that are made when they are first shown, and kept as the bytes that are sent: no page is put together. */
export function createPageRows({ total, textOf, onGrowth }: PageRowsOptions): PageRows {
  const chunks: (Chunk | undefined)[] = [];

  function chunkAt(index: number): Chunk {
    const known = chunks[index];
    if (known) return known;
    const first = index * CHUNK_ROWS;
    const count = Math.min(CHUNK_ROWS, total - first);
    const texts = Array.from({ length: count }, (_, i) => `${textOf(first + i)},`);
    const bytes = encoder.encode(texts.join(''));
    const isAscii = bytes.length === texts.reduce((length, text) => length + text.length, 0);
    const starts = new Uint32Array(count + 1);
    for (const [i, text] of texts.entries())
      starts[i + 1] = (starts[i] ?? 0) + (isAscii ? text.length : encoder.encode(text).length);
    const chunk = { bytes, starts };
    chunks[index] = chunk;
    onGrowth?.(bytes.length + starts.byteLength);
    return chunk;
  }

  return {
    between(from, to) {
      const parts: Uint8Array[] = [];
      for (let place = from; place < to; ) {
        const index = Math.floor(place / CHUNK_ROWS);
        const { bytes, starts } = chunkAt(index);
        const first = index * CHUNK_ROWS;
        const end = Math.min(to, first + starts.length - 1);
        // Nothing follows the comma of the last row.
        parts.push(bytes.subarray(starts[place - first], (starts[end - first] ?? 0) - (end === to ? 1 : 0)));
        place = end;
      }
      return parts;
    },
  };
}

/** The pages of an answer whose members beside the rows say nothing of the place. */
export function pagesOfOneEnvelope<T>(
  envelope: Envelope,
  all: readonly T[],
  textOf: (row: T) => string,
): Pick<FurtherPages, 'total' | 'page'> {
  const total = all.length;
  const textAt = (place: number) => {
    const row = all[place];
    return row === undefined ? '' : textOf(row);
  };
  const contents = { envelope, rows: createPageRows({ total, textOf: textAt }) };
  return { total, page: () => contents };
}
