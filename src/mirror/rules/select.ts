import { asJsonText } from '../../contract/json/json.ts';
import { dateToMs, isCalendarDate, parseInstant } from '../../contract/time/time.ts';
import type { KeyValue, RowPage, Selection, StoredRow } from '../api/series.ts';
import type { RowPart } from './digest.ts';
import { lengthener, wholeText } from './short-text.ts';
import { columnNamesOf, quote, type Table } from './tables.ts';

export interface Where {
  readonly sql: string;
  readonly values: readonly KeyValue[];
}

/** The condition of a selection inside one series. Names come from the mapping, values are bound. */
export function whereOf(table: Table, series: number, selection: Selection): Where {
  const parts = ['series = ?'];
  const values: KeyValue[] = [series];
  const add = (sql: string, value: KeyValue) => {
    parts.push(sql);
    values.push(value);
  };
  const { from, to } = selectionBounds(table, selection);
  const windowed = quote(table.mapping.window?.column ?? table.key[0]?.name ?? '');
  if (from !== undefined) add(`${windowed} >= ?`, from);
  if (to !== undefined) add(`${windowed} <= ?`, to);
  for (const [name, value] of Object.entries(selection.where ?? {})) add(`${columnOf(table, name)} = ?`, value);
  const { release } = table.mapping;
  if (selection.releasedBy !== undefined && release)
    add(`(${quote(release)} is null or ${quote(release)} <= ?)`, selection.releasedBy);
  return { sql: parts.join(' and '), values };
}

/** The rows that a covered range speaks of: where an endpoint has no window, all of the series. */
export function coveredSelection({ mapping }: Table, bounds: { from: KeyValue; to: KeyValue }): Selection {
  return mapping.window === undefined ? {} : bounds;
}

/** A column of the table, quoted; only those of the mapping can be named. */
export function columnOf(table: Table, name: string): string {
  if (![...table.key, ...table.columns].some((column) => column.name === name))
    throw new Error(`${table.endpoint} has no column '${name}'`);
  return quote(name);
}

/** Bounds in the type of the window column: a date bounds a column of instants by its first and last second. */
export function selectionBounds(
  table: Table,
  { from, to }: { readonly from?: KeyValue | undefined; readonly to?: KeyValue | undefined },
): { from: KeyValue | undefined; to: KeyValue | undefined } {
  const name = table.mapping.window?.column;
  const column = name === undefined ? table.key[0] : table.key.find((one) => one.name === name);
  if (column?.type !== 'integer') return { from, to };
  const lastSecond = typeof to === 'string' && isCalendarDate(to) ? dateToMs(to) / 1000 + 86_399 : to;
  return { from: instantOf(from), to: instantOf(lastSecond) };
}

function instantOf(bound: KeyValue | undefined): KeyValue | undefined {
  return typeof bound === 'string' ? (parseInstant(bound) ?? bound) : bound;
}

/** Columns of a page, key columns first, as `rowMaker` takes them: texts as the table keeps them. */
export function pageColumns(table: Table): string {
  return [...columnNamesOf(table.key), ...columnNamesOf(table.columns), 'seen', 'refreshed', 'keyed', 'text'].join(
    ', ',
  );
}

export type PageTuple = (KeyValue | null)[];

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

/** The selects of a page, of whole columns and of a count, from the current rows of one table. */
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

/** The tables of an endpoint by part, as quoted names. */
export function partTables({ current, superseded, vintages }: Table): readonly (readonly [RowPart, string])[] {
  return [['current', current], ['superseded', superseded], ...(vintages ? [['vintages', vintages] as const] : [])];
}

/** Selects how many rows of each part of an endpoint were written: part and number. */
export function storedRowCounts({ endpoint }: Table): Where {
  return {
    sql: `select part, sum(rows) from sums join series on series.id = sums.series where endpoint = ? group by part`,
    values: [endpoint],
  };
}

/** Lost tables with stored rows: new ones would pass for empty series. */
export function missingTables(
  table: Table,
  kept: readonly (readonly [part: string, rows: number])[],
  isThere: (name: string) => boolean,
): readonly string[] {
  return partTables(table).flatMap(([part, name]) => {
    const rows = kept.find(([one]) => one === part)?.[1] ?? 0;
    return rows > 0 && !isThere(name) ? [name.replaceAll('"', '')] : [];
  });
}
