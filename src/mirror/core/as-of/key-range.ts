import type { KeyValue } from '../../api/rows.ts';
import { selectionBounds, type Where } from '../select.ts';
import { columnNamesOf, quote, type Table } from '../tables.ts';

/** Which rows: those with a key prefix, and where rows are dated by their key, those between two dates. */
export interface KeyRange {
  readonly prefix: readonly KeyValue[];
  readonly from?: KeyValue | undefined;
  readonly to?: KeyValue | undefined;
}

/** The condition of a range inside one series, over key columns alone: every table of the endpoint has them. */
export function withinRange(table: Table, series: number, { prefix, ...dates }: KeyRange): Where {
  const [first] = table.key;
  const parts = ['series = ?', ...columnNamesOf(table.key.slice(0, prefix.length)).map((name) => `${name} = ?`)];
  const values: KeyValue[] = [series, ...prefix];
  if (first && first.name === table.mapping.window?.column) {
    const { from, to } = selectionBounds(table, dates);
    const add = (sign: string, bound: KeyValue | undefined) => {
      if (bound === undefined) return;
      parts.push(`${quote(first.name)} ${sign} ?`);
      values.push(bound);
    };
    add('>=', from);
    add('<=', to);
  }
  return { sql: parts.join(' and '), values };
}
