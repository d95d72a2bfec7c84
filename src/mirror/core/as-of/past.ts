import type { AsOf } from '../../../contract/time/as-of.ts';
import type { ColumnValues, KeyValue, RowPage, Selection, StoredRow } from '../../api/mirror.ts';
import type { SqliteConnection } from '../../sqlite/connect.ts';
import type { Table } from '../tables.ts';
import type { HistoryTables } from './history.ts';
import { inForceReader } from './past-in-force.ts';
import { listedReader } from './past-listed.ts';

/** A selection with the moment that it is put at. */
export type PastSelection = Selection & { readonly asOf: AsOf };

/** Rows of one table as they were known at a moment. */
export interface PastReader {
  /** One after the other in answer order, read as far as somebody takes them. */
  iterate(series: number, selection: PastSelection, after?: readonly KeyValue[]): Generator<StoredRow>;
  page(series: number, selection: PastSelection, page?: RowPage): readonly StoredRow[];
  columns<N extends string>(series: number, selection: PastSelection, names: readonly N[]): ColumnValues<N>;
  count(series: number, selection: PastSelection): number;
}

/** Where rows list their vintages these decide what was in force; everywhere else a text tells it by itself. */
export function pastReader(db: SqliteConnection, reading: HistoryTables, table: Table): PastReader {
  return table.vintages === undefined ? inForceReader(db, reading, table) : listedReader(reading, table);
}

export function isPast(selection: Selection): selection is PastSelection {
  return selection.asOf !== undefined;
}
