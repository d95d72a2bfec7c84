import { asJsonText, readJson } from '../../contract/json/json.ts';
import type { ColumnValues, KeyValue, RowPage, Selection, StoredRow } from '../api/mirror.ts';
import type { Statements } from '../sqlite/statements.ts';
import { columnOf, type Where, whereOf } from './select.ts';
import { columnNamesOf, type Table } from './tables.ts';

/** Columns of a page, key columns first, as `rowMaker` takes them. */
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

  /** Thousands of these are made for one answer in a program that has just started: nothing is made besides. */
  return (row) => {
    const columns: Record<string, KeyValue | null> = {};
    for (let i = 0; i < count; i += 1) columns[names[i] as string] = row[i] as KeyValue | null; // as selected above
    const seen = row[count] as number; // as selected above
    return {
      key: row.slice(0, keys) as KeyValue[], // key columns are never null
      columns,
      text: asJsonText(row[count + 3] as string),
      commit: (row[count + 1] as number | null) ?? seen,
      seenAt: seenAt(seen),
      keyed: row[count + 2] === 1,
    };
  };
}

/** Columns of what an inner select gives in its order. One text a column crosses the driver's border, not thousands of arrays. */
export function readColumns<N extends string>(
  statements: Statements,
  asked: {
    readonly names: readonly N[];
    readonly quoted: readonly string[];
    readonly inner: string;
    readonly values: readonly KeyValue[];
  },
): ColumnValues<N> {
  const lists = asked.quoted.map((name) => `iif(count(${name}) = 0, null, json_group_array(${name}))`);
  const outer = `select ${lists.join(', ')} from (${asked.inner})`;
  const texts = statements.raw<(string | null)[]>(outer).get(...asked.values);
  const entries = asked.names.map((name, i) => [name, readJson(texts?.[i] ?? 'null') ?? undefined]);
  return Object.fromEntries(entries);
}

/** Columns in the order of the answer, or from its other end. */
export function orderOf(columns: readonly (string | number)[], { direction }: Table, reverse = false): string {
  const way = reverse ? (direction === 'desc' ? 'asc' : 'desc') : direction;
  return columns.map((column) => `${column} ${way}`).join(', ');
}

/** Reads current rows of one table: pages in answer order, and counts. */
export function pageReader(statements: Statements, table: Table, seenAt: (commit: number) => number) {
  const storedRow = rowMaker(table, seenAt);
  const selectOf = pageSelects(table);

  return {
    rows(series: number, selection: Selection, page?: RowPage): readonly StoredRow[] {
      const { sql, values } = selectOf.rows(series, selection, page);
      return statements
        .raw<PageTuple>(sql)
        .all(...values)
        .map(storedRow);
    },
    columns<N extends string>(series: number, selection: Selection, names: readonly N[]): ColumnValues<N> {
      const quoted = names.map((name) => columnOf(table, name));
      const { sql: inner, values } = selectOf.columns(series, selection, quoted);
      return readColumns(statements, { names, quoted, inner, values });
    },
    count(where: Where): number {
      const { sql, values } = selectOf.count(where);
      return statements.raw<[number]>(sql).get(...values)?.[0] ?? 0;
    },
  };
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
    columns(series: number, selection: Selection, quoted: readonly string[]): Where {
      const { sql, values } = whereOf(table, series, selection);
      return { sql: `select ${quoted.join(', ')} from ${table.current} where ${sql} order by ${order}`, values };
    },
    /** Walks the key alone: texts are behind the columns that conditions can name. */
    count: ({ sql, values }: Where): Where => ({ sql: `select count(*) from ${table.current} where ${sql}`, values }),
  };
}

export type PageReader = ReturnType<typeof pageReader>;
