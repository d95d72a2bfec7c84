import type { ColumnValues, KeyValue } from '../../api/rows.ts';
import { orderOf } from '../page.ts';
import { ROW_VERSION_KEY, rowVersionColumns } from '../row-versions.ts';
import type { Where } from '../select.ts';
import type { Table } from '../tables.ts';
import { type PastQuestion, rowVersionCondition } from './past-conditions.ts';

/** The texts of the rows that are asked for, in the order of the answer. */
export function rowVersionsInOrder(table: Table, question: PastQuestion, reverse?: boolean): Where {
  const { sql, values } = rowVersionCondition(table, question);
  const { superseded, current } = rowVersionColumns(table);
  const keys = table.key.map((_, i) => ROW_VERSION_KEY + i);
  return {
    sql: `select ${superseded} from ${table.superseded} where ${sql}
      union all select ${current} from ${table.current} where ${sql} order by ${orderOf(keys, table, reverse)}`,
    values: [...values, ...values],
  };
}

/** Columns by name; one without any value is none. */
export function columnsBy<N extends string>(
  names: readonly N[],
  listOf: (name: N, place: number) => readonly (KeyValue | null)[],
): ColumnValues<N> {
  const entries = names.map((name, place) => {
    const list = listOf(name, place);
    return [name, list.some((value) => value !== null) ? list : undefined];
  });
  return Object.fromEntries(entries);
}
