import type { StoredRow } from '../../../api/mirror.ts';
import type { PastQuestion } from '../../../core/as-of/past-conditions.ts';
import { asKnownBy, type InForceShape, inForceCount, inForceSelect } from '../../../core/as-of/past-in-force.ts';
import { momentOf } from '../../../core/as-of/past-row.ts';
import { type PageTuple, rowMaker } from '../../../core/page.ts';
import { columnOf } from '../../../core/select.ts';
import { columnNamesOf, type Table } from '../../../core/tables.ts';
import type { SqliteConnection } from '../../database-file.ts';
import { readColumns } from '../page.ts';
import type { HistoryTables, PastReader } from './past-reader.ts';
import { undoneReader } from './undone.ts';

/**
 * Rows as they were known at a moment, where no row lists vintages: conditions find the one text of each that was in force,
 * of both tables together in the order of the answer, so that a page costs what a page costs and not what is behind it.
 */
export function inForceReader(db: SqliteConnection, { statements, clock }: HistoryTables, table: Table): PastReader {
  const undoneOf = undoneReader(statements);
  const makeRow = rowMaker(table, clock.at);
  const selectOf = (question: PastQuestion, shape?: InForceShape) => inForceSelect(table, question, shape);
  const asKnown = (row: StoredRow, commit: number) => asKnownBy(table, row, commit);

  return {
    *iterate(series, selection, after) {
      const moment = momentOf(selection.asOf, clock, undoneOf(series));
      const { sql, values } = selectOf({ series, selection, moment, ...(after && { after }) });
      // A statement serves one iteration at a time, so this one is not shared.
      for (const tuple of db
        .prepare<unknown[], PageTuple>(sql)
        .raw()
        .iterate(...values))
        yield asKnown(makeRow(tuple), moment.commit);
    },
    page(series, selection, page) {
      const moment = momentOf(selection.asOf, clock, undoneOf(series));
      const { sql, values } = selectOf(
        { series, selection, moment },
        page ? { end: ' limit ? offset ?', reverse: page.reverse === true } : {},
      );
      return statements
        .raw<PageTuple>(sql)
        .all(...values, ...(page ? [page.limit, page.offset] : []))
        .map((tuple) => asKnown(makeRow(tuple), moment.commit));
    },
    columns(series, selection, names) {
      const quoted = names.map((name) => columnOf(table, name));
      const keys = columnNamesOf(table.key).map((name, i) => `${name} as key_${i}`);
      const list = [...keys, ...quoted].join(', ');
      const moment = momentOf(selection.asOf, clock, undoneOf(series));
      const { sql: inner, values } = selectOf({ series, selection, moment }, { list });
      return readColumns(statements, { names, quoted, inner, values });
    },
    count(series, selection) {
      const { sql, values } = inForceCount(table, {
        series,
        selection,
        moment: momentOf(selection.asOf, clock, undoneOf(series)),
      });
      return statements.raw<[number]>(sql).get(...values)?.[0] ?? 0;
    },
  };
}
