import { type JsonText, readJson } from '../../../contract/json/json.ts';
import type { ColumnValues, KeyValue, StoredRow } from '../../api/rows.ts';
import type { RowPage, Selection } from '../../api/selection.ts';
import { type PageTuple, pageSelects, rowMaker } from '../../core/page.ts';
import { columnOf, type Where } from '../../core/select.ts';
import type { Table } from '../../core/tables.ts';
import type { Statements } from '../statements.ts';

/** Columns of what an inner select gives in its order. One text a column crosses the driver's border, not thousands of arrays. */
export function readColumns<N extends string>(
  statements: Statements,
  parts: {
    readonly names: readonly N[];
    readonly quoted: readonly string[];
    readonly inner: string;
    readonly values: readonly KeyValue[];
  },
): ColumnValues<N> {
  const lists = parts.quoted.map((name) => `iif(count(${name}) = 0, null, json_group_array(${name}))`);
  const outer = `select ${lists.join(', ')} from (${parts.inner})`;
  const texts = statements.raw<(string | null)[]>(outer).get(...parts.values);
  const entries = parts.names.map((name, i) => [name, readJson(texts?.[i] ?? 'null') ?? undefined]);
  return Object.fromEntries(entries);
}

/** Reads current rows of one table: pages in answer order, and counts. */
export function pageReader(statements: Statements, table: Table, seenAt: (commit: number) => number) {
  const storedRow = rowMaker(table, seenAt);
  const selectOf = pageSelects(table);

  return {
    rows(series: number, selection: Selection, page?: RowPage): readonly StoredRow[] {
      const { sql, values } = selectOf.rows(series, selection, page);
      const statement = statements.raw<PageTuple>(sql);
      if (page) return statement.all(...values).map(storedRow);
      // Of a whole history the driver's own arrays would all be there at once.
      return Array.from(statement.iterate(...values), storedRow);
    },
    /** In one call: what crosses the driver's border is a list of texts. */
    texts(series: number, selection: Selection): readonly JsonText[] {
      const { sql, values } = selectOf.texts(series, selection);
      return statements.single<JsonText>(sql).all(...values);
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

export type PageReader = ReturnType<typeof pageReader>;
