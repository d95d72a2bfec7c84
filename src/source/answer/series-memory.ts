import type { KeptValue, LoadedColumns } from '../../contract/hooks.ts';
import type { StoredRow } from '../../mirror/api/mirror.ts';
import { type ByteCache, createByteCache } from './byte-cache.ts';

export type Kept = ReadonlyMap<string, readonly KeptValue[]>;

/** What was last read of series, for as long as there is room: many questions are asked of the same ones. */
export interface SeriesMemory {
  readonly rows: ByteCache<readonly StoredRow[]>;
  readonly columns: ByteCache<LoadedColumns>;
  readonly kept: ByteCache<Kept>;
}

const MEGABYTE = 1024 * 1024;

export function createSeriesMemory(): SeriesMemory {
  return {
    rows: createByteCache(16 * MEGABYTE),
    columns: createByteCache(8 * MEGABYTE),
    kept: createByteCache(16 * MEGABYTE),
  };
}
