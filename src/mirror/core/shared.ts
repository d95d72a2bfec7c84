import type { Mapping } from '../../contract/mapping.ts';
import { type Table, type TextForm, tableOf } from './tables.ts';

/** What all connections of one mirror share. */
export interface Shared {
  /** Of the file, or the address of the server. */
  readonly path: string;
  table(endpoint: string): Table | undefined;
  /** When a commit was; commits never change, so this is kept. */
  readonly commitTimes: Map<number, number>;
  /** Counts of the latest selections, by series, generation and selection. */
  readonly counts: Map<string, number>;
}

export function sharedOf(path: string, mappings: Readonly<Record<string, Mapping>>, texts: TextForm): Shared {
  const tables = new Map<string, Table>();
  return {
    path,
    table(endpoint) {
      const known = tables.get(endpoint);
      if (known) return known;
      const mapping = Object.hasOwn(mappings, endpoint) ? mappings[endpoint] : undefined;
      if (!mapping) return undefined;
      const table = tableOf(endpoint, mapping, texts);
      tables.set(endpoint, table);
      return table;
    },
    commitTimes: new Map(),
    counts: new Map(),
  };
}

export const KEPT_COUNTS = 1000;

/** Keeps a value in a memory that never grows without end. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  if (map.size >= most) map.clear();
  map.set(key, value);
}
