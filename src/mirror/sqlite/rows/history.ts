import type { AsOf } from '../../../contract/time/as-of.ts';
import type { Vintage } from '../../api/mirror.ts';
import { sortedVersions, vintagesOfRow } from '../../core/as-of/history.ts';
import { type KeyRange, withinRange } from '../../core/as-of/key-range.ts';
import { type RowVersion, type RowVersionTuple, rowVersionColumns, rowVersionOf } from '../../core/row-versions.ts';
import type { Where } from '../../core/select.ts';
import type { Table } from '../../core/tables.ts';
import type { Statements } from '../statements.ts';
import type { HistoryTables } from './past/past-reader.ts';
import { undoneReader } from './past/undone.ts';
import { vintageReader } from './vintages.ts';

/**
 * Vintages of rows: those that the rows listed, and our own, which are read from the superseded rows and need no table. With
 * a moment, those that were known then.
 */
export function historyReader({ statements, clock }: HistoryTables, table: Table) {
  const kept = vintageReader(statements, table);
  const stages = rowVersionReader(statements, table);
  const undoneOf = undoneReader(statements);

  return (series: number, range: KeyRange, asOf?: AsOf): readonly Vintage[] => {
    const where = withinRange(table, series, range);
    return vintagesOfRow(
      table,
      { stages: stages(where), listed: kept(where) },
      { clock, asOf, undone: undoneOf(series) },
    );
  };
}

/** Reads the texts that some rows had, in the order of commits. */
export function rowVersionReader(statements: Statements, table: Table) {
  const columns = rowVersionColumns(table);
  return ({ sql, values }: Where): readonly RowVersion[] => {
    const read = (select: string, from: string) =>
      statements
        .raw<RowVersionTuple>(`select ${select} from ${from} where ${sql}`)
        .all(...values)
        .map((tuple) => rowVersionOf(table, tuple));
    return sortedVersions(read(columns.superseded, table.superseded), read(columns.current, table.current));
  };
}
