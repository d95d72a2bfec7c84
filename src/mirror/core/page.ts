import { asJsonText } from '../../contract/json/json.ts';
import type { KeyValue, StoredRow } from '../api/rows.ts';
import type { RowPage, Selection } from '../api/selection.ts';
import { type Where, whereOf } from './select.ts';
import { lengthener, wholeText } from './short-text.ts';
import { columnNamesOf, type Table } from './tables.ts';

/** Columns of a page, key columns first, as `rowMaker` takes them: texts as the table keeps them. */
export function pageColumns(table: Table): string {
  return [...columnNamesOf(table.key), ...columnNamesOf(table.columns), 'seen', 'refreshed', 'keyed', 'text'].join(
    ', ',
  );
}

export type PageTuple = (KeyValue | null)[];

/** Makes rows of what a page selects. */
export function rowMaker(table: Table, seenAt: (commit: number) => number): (tuple: PageTuple) => StoredRow {
  const names = [...table.key, ...table.columns].map((column) => column.name);
  const keys = table.key.length;
  const count = names.length;
  const wholeOf = lengthener(table);

  /** Thousands of these are made for one answer in a program that has just started: nothing is made besides. */
  return (row) => {
    const columns: Record<string, KeyValue | null> = {};
    for (let i = 0; i < count; i += 1) columns[names[i] as string] = row[i] as KeyValue | null; // as selected above
    const seen = row[count] as number; // as selected above
    return {
      key: row.slice(0, keys) as KeyValue[], // key columns are never null
      columns,
      text: asJsonText(wholeOf(row, row[count + 3] as string)),
      commit: (row[count + 1] as number | null) ?? seen,
      seenAt: seenAt(seen),
      keyed: row[count + 2] === 1,
    };
  };
}

/** Columns in the order of the answer, or from its other end. */
export function orderOf(columns: readonly (string | number)[], { direction }: Table, reverse = false): string {
  const way = reverse ? (direction === 'desc' ? 'asc' : 'desc') : direction;
  return columns.map((column) => `${column} ${way}`).join(', ');
}

/** What a page, whole columns and a count select of the current rows of one table. */
export function pageSelects(table: Table) {
  const select = `select ${pageColumns(table)} from ${table.current} where`;
  const names = columnNamesOf(table.key);
  const order = orderOf(names, table);
  const backwards = orderOf(names, table, true);

  return {
    rows(series: number, selection: Selection, page?: RowPage): Where {
      const { sql, values } = whereOf(table, series, selection);
      const ordered = `${select} ${sql} order by ${page?.reverse ? backwards : order}`;
      if (!page) return { sql: ordered, values };
      return { sql: `${ordered} limit ? offset ?`, values: [...values, page.limit, page.offset] };
    },
    texts(series: number, selection: Selection): Where {
      const { sql, values } = whereOf(table, series, selection);
      return { sql: `select ${wholeText(table)} from ${table.current} where ${sql} order by ${order}`, values };
    },
    columns(series: number, selection: Selection, quoted: readonly string[]): Where {
      const { sql, values } = whereOf(table, series, selection);
      return { sql: `select ${quoted.join(', ')} from ${table.current} where ${sql} order by ${order}`, values };
    },
    /** Walks the key alone: texts are behind the columns that conditions can name. */
    count: ({ sql, values }: Where): Where => ({ sql: `select count(*) from ${table.current} where ${sql}`, values }),
  };
}
