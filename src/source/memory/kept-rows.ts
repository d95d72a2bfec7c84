import type { LoadedColumns } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import type { MemoryBudget } from '../../contract/memory-budget.ts';
import type { Knowledge, SeriesChanges, SeriesTimeline, StoredRow, Vintage } from '../../mirror/api/series.ts';
import { type ByteCache, createByteCache } from './byte-cache.ts';

/** The timeline of a series, or that it has none. */
export interface KeptTimeline {
  readonly timeline: SeriesTimeline | undefined;
}

/** What was read of series, under names that hold the generation that it is of. */
export interface KeptRows {
  readonly rows: ByteCache<readonly StoredRow[]>;
  readonly texts: ByteCache<readonly JsonText[]>;
  readonly columns: ByteCache<LoadedColumns>;
  readonly vintages: ByteCache<readonly Vintage[]>;
  readonly counts: ByteCache<number>;
  readonly timelines: ByteCache<KeptTimeline>;
  readonly changes: ByteCache<SeriesChanges>;
  readonly knowledge: ByteCache<Knowledge>;
}

export function createKeptRows(budget: MemoryBudget): KeptRows {
  return {
    rows: createByteCache(budget),
    texts: createByteCache(budget),
    columns: createByteCache(budget),
    vintages: createByteCache(budget),
    counts: createByteCache(budget),
    timelines: createByteCache(budget),
    changes: createByteCache(budget),
    knowledge: createByteCache(budget),
  };
}

/** What a row or a value takes besides its text. */
const OBJECT_BYTES = 700;
const CELL_BYTES = 40;

/** Hooks read the longer rows, and what they read stays with the row: so many bytes for each character. */
const READ_FROM_CHARACTERS = 400;
const READ_BYTES = 6;

/** What a count takes with its name. */
export const COUNT_BYTES = 300;

export function bytesOfRows(rows: readonly { readonly text: string }[]): number {
  return rows.reduce((bytes, { text }) => {
    const read = text.length >= READ_FROM_CHARACTERS ? text.length * READ_BYTES : 0;
    return bytes + text.length + read + OBJECT_BYTES;
  }, OBJECT_BYTES);
}

export function bytesOfTexts(texts: readonly JsonText[]): number {
  return texts.reduce((bytes, text) => bytes + text.length + CELL_BYTES, OBJECT_BYTES);
}

export function bytesOfChanges({ commits, all }: SeriesChanges): number {
  return commits.byteLength + all.byteLength + COUNT_BYTES;
}

export function bytesOfColumns(columns: LoadedColumns): number {
  return Object.values(columns).reduce((bytes, values) => bytes + (values?.length ?? 0) * CELL_BYTES, OBJECT_BYTES);
}
