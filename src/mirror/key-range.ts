import type { KeyValue } from './mirror.ts';
import { boundsOf, type Where } from './select.ts';
import { namesOf, quote, type Table } from './tables.ts';

/** Which rows: those with a key prefix, and where rows are dated by their key, those from a date on. */
export interface KeyRange {
  readonly prefix: readonly KeyValue[];
  readonly from?: KeyValue | undefined;
}

/** The condition of a range inside one series, over key columns alone: every table of the endpoint has them. */
export function withinRange(table: Table, series: number, { prefix, from }: KeyRange): Where {
  const [first] = table.key;
  const parts = ['series = ?', ...namesOf(table.key.slice(0, prefix.length)).map((name) => `${name} = ?`)];
  if (from === undefined || !first || first.name !== table.mapping.window?.column)
    return { sql: parts.join(' and '), values: [series, ...prefix] };
  const bound = boundsOf(table, { from }).from ?? from;
  return { sql: [...parts, `${quote(first.name)} >= ?`].join(' and '), values: [series, ...prefix, bound] };
}
