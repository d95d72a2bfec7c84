import type { KeyValue, PageCommit } from '../../api/mirror.ts';
import {
  NOTHING_VANISHED,
  saysNothingOfOthers,
  type Vanished,
  vanishedAmong,
  vanishQueries,
} from '../../core/commit/vanish.ts';
import type { PositionedPage } from '../../core/rows.ts';
import type { Table } from '../../core/tables.ts';
import type { Statements } from '../statements.ts';

/** Finds stored rows that a page says are gone. */
export function vanishFinder(statements: Statements, table: Table) {
  const queries = vanishQueries(table);
  return ({ series, rows, range }: PositionedPage, commit: PageCommit): Vanished => {
    if (saysNothingOfOthers(commit, range)) return NOTHING_VANISHED;
    return vanishedAmong(
      queries(series, rows, commit).map(({ sql, values }) =>
        statements.raw<[0 | 1, ...KeyValue[]]>(sql).all(...values),
      ),
      rows,
      commit,
    );
  };
}
