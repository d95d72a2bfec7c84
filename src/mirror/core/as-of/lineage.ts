import type { AccessTag, KeyValue, RowLineage, SourceCommit } from '../../api/mirror.ts';
import type { RowVersion } from '../row-versions.ts';
import type { Table } from '../tables.ts';
import { vintageReader } from '../vintages.ts';
import { datedOf } from './dated.ts';
import type { Dated } from './dated-value.ts';
import { type HistoryTables, rowVersionReader } from './history.ts';
import { withinRange } from './key-range.ts';

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

/** The lineage of a row by the texts and values that it had. */
export function lineageOf(
  stages: readonly RowVersion[],
  dated: readonly Dated[],
  commitOf: (number: number) => SourceCommit,
): RowLineage {
  return {
    texts: stages.map((stage, i) => ({
      text: stage.text,
      brought: commitOf(stage.seen),
      ...(stage.refreshed !== undefined && { refreshed: commitOf(stage.refreshed) }),
      ...(stage.ended !== undefined && { ended: commitOf(stage.ended) }),
      wasReplaced: stage.ended !== undefined && stages[i + 1]?.seen === stage.ended,
    })),
    values: dated.map(({ vintage, known, seen, entry, dispute }) => ({
      text: vintage.text,
      isListed: entry !== undefined,
      isAssumed: vintage.assumed === true,
      known,
      ...(dispute && { dispute }),
      brought: commitOf(seen),
      ...(vintage.withdrawnAt !== undefined && { withdrawnAt: vintage.withdrawnAt * 1000 }),
    })),
  };
}
