import { asJsonText } from '../contract/json.ts';
import type { ColumnValues, KeyValue, Selection, StoredRow } from './mirror.ts';
import { columnOf, type Where, whereOf } from './select.ts';
import type { Statements } from './statements.ts';
import { namesOf, type Table } from './tables.ts';

/** Reads current rows of one table: pages in answer order, and counts. */
export function pageReader(statements: Statements, table: Table, seenAt: (commit: number) => number) {
  const names = [...table.key, ...table.columns].map((column) => column.name);
  const typed = [...namesOf(table.key), ...namesOf(table.columns)];
  const select = `select ${[...typed, 'seen', 'refreshed', 'keyed', 'text'].join(', ')} from ${table.current} where`;
  const order = namesOf(table.key)
    .map((name) => `${name} ${table.direction}`)
    .join(', ');
  const keys = table.key.length;

  const count = names.length;

  /** Thousands of these are made for one answer in a program that has just started: nothing is made besides. */
  function storedRow(row: PageTuple): StoredRow {
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
  }

  return {
    rows(series: number, selection: Selection, page?: { limit: number; offset: number }): readonly StoredRow[] {
      const { sql, values } = whereOf(table, series, selection);
      const limits = page ? [page.limit, page.offset] : [];
      const end = page ? ' limit ? offset ?' : '';
      return statements
        .raw<PageTuple>(`${select} ${sql} order by ${order}${end}`)
        .all(...values, ...limits)
        .map(storedRow);
    },
    columns<N extends string>(series: number, selection: Selection, names: readonly N[]): ColumnValues<N> {
      const { sql, values } = whereOf(table, series, selection);
      const quoted = names.map((name) => columnOf(table, name));
      const lists = quoted.map((name) => `iif(count(${name}) = 0, null, json_group_array(${name}))`);
      const inner = `select ${quoted.join(', ')} from ${table.current} where ${sql} order by ${order}`;
      const texts = statements.raw<(string | null)[]>(`select ${lists.join(', ')} from (${inner})`).get(...values);
      // One text a column crosses the driver's border, where rows would be thousands of arrays.
      const entries = names.map((name, i) => [name, JSON.parse(texts?.[i] ?? 'null') ?? undefined]);
      return Object.fromEntries(entries);
    },
    /** Walks the key alone: texts are behind the columns that conditions can name. */
    count: (where: Where): number =>
      statements.raw<[number]>(`select count(*) from ${table.current} where ${where.sql}`).get(...where.values)?.[0] ??
      0,
  };
}

export type PageReader = ReturnType<typeof pageReader>;

type PageTuple = (KeyValue | null)[];
