import type { AccessTag, KeyValue, RowLineage, SourceCommit } from '../../api/mirror.ts';
import { datedOf } from '../../core/as-of/dated.ts';
import { withinRange } from '../../core/as-of/key-range.ts';
import { lineageOf } from '../../core/as-of/lineage.ts';
import type { Table } from '../../core/tables.ts';
import { rowVersionReader } from './history.ts';
import type { HistoryTables } from './past/past-reader.ts';
import { vintageReader } from './vintages.ts';

type CommitTuple = [at: number, access: AccessTag, request: string];

/** Where the texts of one row came from, and since when its values were known. */
export function lineageReader({ statements, clock }: HistoryTables, table: Table) {
  const stagesOf = rowVersionReader(statements, table);
  const listedOf = vintageReader(statements, table);

  function commitOf(number: number): SourceCommit {
    const select = 'select at, access, request from commits where number = ?';
    const [at, access, request] = statements.raw<CommitTuple>(select).get(number) ?? [0, 'keyless', ''];
    return { number, at, access, request };
  }

  return (series: number, key: readonly KeyValue[]): RowLineage => {
    const where = withinRange(table, series, { prefix: key });
    const stages = stagesOf(where);
    return lineageOf(stages, datedOf(table, { stages, listed: listedOf(where) }, clock), commitOf);
  };
}
