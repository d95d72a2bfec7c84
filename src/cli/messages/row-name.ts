import type { Column } from '../../contract/mapping.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { MAPPINGS } from '../../endpoints/index.ts';
import type { KeyValue } from '../../mirror/api/rows.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';

/** What people read as the name of a row: the values of its key, instants in ISO. */
export function nameOfRow({ endpoint }: StoredSeries, key: readonly KeyValue[]): string {
  const columns = MAPPINGS[endpoint]?.key ?? [];
  return key.map((part, i) => (isInstant(columns[i]) ? isoSeconds(Number(part)) : String(part))).join(' ');
}

/** Whole numbers of a key are Unix seconds or count something: the interface names all of the former after time. */
export function isInstant(column: Pick<Column, 'name' | 'type'> | undefined): boolean {
  return column?.type === 'integer' && /time/.test(column.name);
}
