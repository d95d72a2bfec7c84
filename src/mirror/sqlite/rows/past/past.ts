import type { Table } from '../../../core/tables.ts';
import type { SqliteConnection } from '../../database-file.ts';
import { inForceReader } from './past-in-force.ts';
import { listedReader } from './past-listed.ts';
import type { HistoryTables, PastReader } from './past-reader.ts';

/** Where rows list their vintages these decide what was in force; everywhere else a text tells it by itself. */
export function pastReader(db: SqliteConnection, reading: HistoryTables, table: Table): PastReader {
  return table.vintages === undefined ? inForceReader(db, reading, table) : listedReader(reading, table);
}
