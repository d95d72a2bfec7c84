import type { Column } from '../../../contract/mapping.ts';
import type { KeyValue } from '../../api/rows.ts';
import { columnNamesOf } from '../../core/tables.ts';

type Value = KeyValue | null;

/** The type of a column of values that are sent; how texts are ordered is for the table to say. */
const TYPES: Readonly<Record<Column['type'], string>> = { text: 'text', integer: 'bigint', real: 'double precision' };

/** Rows that a statement takes at a time. */
export const PORTION = 5000;

/** Many rows as one list a column, so that a statement takes all of them in one message. */
export function unnestOf(columns: readonly Column[], rows: readonly (readonly Value[])[]) {
  return {
    sql: `unnest(${columns.map(({ type }) => `?::${TYPES[type]}[]`).join(', ')})`,
    names: columnNamesOf(columns).join(', '),
    values: columns.map((_, i) => rows.map((row) => row[i] ?? null)),
  };
}

/** Rows in parts that a statement takes. */
export function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += PORTION) yield rows.slice(at, at + PORTION);
}

/** One spelling for values before and after the server has kept them: half of a surrogate pair has no UTF-8. */
export function unnestIdentity(values: readonly KeyValue[]): string {
  return JSON.stringify(values.map((value) => (typeof value === 'string' ? value.toWellFormed() : value)));
}
