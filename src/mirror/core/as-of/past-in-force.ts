import { patchRow } from '../../../contract/json/body.ts';
import type { StoredRow } from '../../api/mirror.ts';
import type { SqliteConnection } from '../../sqlite/connect.ts';
import { orderOf, type PageTuple, pageColumns, readColumns, rowMaker } from '../page.ts';
import { columnOf, type Where } from '../select.ts';
import { columnNamesOf, type Table } from '../tables.ts';
import type { HistoryTables } from './history.ts';
import type { PastReader } from './past.ts';
import { inForceConditions, type PastQuestion } from './past-conditions.ts';
import { momentOf } from './past-row.ts';

/**
 * Rows as they were known at a moment, where no row lists vintages: conditions find the one text of each that was in force,
 * of both tables together in the order of the answer, so that a page costs what a page costs and not what is behind it.
 */
export function inForceReader(db: SqliteConnection, { statements, clock }: HistoryTables, table: Table): PastReader {
  const makeRow = rowMaker(table, clock.at);
  const selectOf = (question: PastQuestion, shape?: InForceShape) => inForceSelect(table, question, shape);
  const asKnown = (row: StoredRow, commit: number) => asKnownBy(table, row, commit);

  return {
    *iterate(series, selection, after) {
      const moment = momentOf(selection.asOf, clock);
      const { sql, values } = selectOf({ series, selection, moment, ...(after && { after }) });
      // A statement serves one iteration at a time, so this one is not shared.
      for (const tuple of db
        .prepare<unknown[], PageTuple>(sql)
        .raw()
        .iterate(...values))
        yield asKnown(makeRow(tuple), moment.commit);
    },
    page(series, selection, page) {
      const moment = momentOf(selection.asOf, clock);
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
      const moment = momentOf(selection.asOf, clock);
      const { sql: inner, values } = selectOf({ series, selection, moment }, { list });
      return readColumns(statements, { names, quoted, inner, values });
    },
    count(series, selection) {
      const { sql, values } = inForceCount(table, { series, selection, moment: momentOf(selection.asOf, clock) });
      return statements.raw<[number]>(sql).get(...values)?.[0] ?? 0;
    },
  };
}

/** What is selected of the rows in force, key columns first, and in which order. */
export interface InForceShape {
  readonly list?: string;
  readonly end?: string;
  readonly reverse?: boolean;
}

export function inForceSelect(
  table: Table,
  question: PastQuestion,
  { list = pageColumns(table), end = '', reverse = false }: InForceShape = {},
): Where {
  const { superseded, current } = inForceConditions(table, question);
  const ordinals = table.key.map((_, i) => i + 1);
  return {
    sql: `select ${list} from ${table.superseded} where ${superseded.sql}
      union all select ${list} from ${table.current} where ${current.sql} order by ${orderOf(ordinals, table, reverse)}${end}`,
    values: [...superseded.values, ...current.values],
  };
}

export function inForceCount(table: Table, question: PastQuestion): Where {
  const { superseded, current } = inForceConditions(table, question);
  const of = (name: string, where: Where) => `(select count(*) from ${name} where ${where.sql})`;
  return {
    sql: `select ${of(table.superseded, superseded)} + ${of(table.current, current)}`,
    values: [...superseded.values, ...current.values],
  };
}

/** What a text says of its neighbours it says as of the commit that brought it. */
export function asKnownBy({ dependent, withoutDependent }: Table, row: StoredRow, commit: number): StoredRow {
  if (row.commit <= commit || dependent.size === 0) return row;
  return { ...row, text: patchRow(row.text, withoutDependent) };
}
