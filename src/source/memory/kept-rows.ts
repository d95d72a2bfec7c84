import type { LoadedColumns } from '../../contract/hooks.ts';
import type { StoredRow, Vintage } from '../../mirror/api/mirror.ts';
import { type ByteCache, createByteCache } from './byte-cache.ts';

/** What was read of series, under names that hold the generation that it is of. */
export interface KeptRows {
  readonly rows: ByteCache<readonly StoredRow[]>;
  readonly columns: ByteCache<LoadedColumns>;
  readonly vintages: ByteCache<readonly Vintage[]>;
  readonly counts: ByteCache<number>;
}

/** Bytes that are kept of a mirror where nobody says otherwise. */
export const KEPT_BYTES = 128 * 1024 * 1024;

/** Parts of the room, in sixteenths. */
const SHARES = { rows: 10, columns: 3, vintages: 2, counts: 1 };

export function createKeptRows(bytes: number): KeptRows {
  const share = (sixteenths: number) => (bytes / 16) * sixteenths;
  return {
    rows: createByteCache(share(SHARES.rows)),
    columns: createByteCache(share(SHARES.columns)),
    vintages: createByteCache(share(SHARES.vintages)),
    counts: createByteCache(share(SHARES.counts)),
  };
}

/** What a row or a value takes besides its text: its objects, and what hooks make of it. */
const OBJECT_BYTES = 500;
const CELL_BYTES = 24;

/** What a count takes with its name. */
export const COUNT_BYTES = 300;

export function bytesOfRows(rows: readonly { readonly text: string }[]): number {
  return rows.reduce((bytes, { text }) => bytes + text.length + OBJECT_BYTES, OBJECT_BYTES);
}

export function bytesOfColumns(columns: LoadedColumns): number {
  return Object.values(columns).reduce((bytes, values) => bytes + (values?.length ?? 0) * CELL_BYTES, OBJECT_BYTES);
}
