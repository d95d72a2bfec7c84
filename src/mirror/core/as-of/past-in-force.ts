import { patchRow } from '../../../contract/json/body.ts';
import type { StoredRow } from '../../api/rows.ts';
import { orderOf, pageColumns } from '../page.ts';
import type { Where } from '../select.ts';
import type { Table } from '../tables.ts';
import { inForceConditions, type PastQuestion } from './past-conditions.ts';

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
