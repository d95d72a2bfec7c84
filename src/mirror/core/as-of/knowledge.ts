import type { Where } from '../select.ts';
import { releaseColumn, type Table } from '../tables.ts';

/** Is there any row of a series, twice named, that says when it was published? */
export function datedRows(table: Table): string {
  const release = releaseColumn(table);
  const of = (name: string) => `select 1 from ${name} where series = ? and ${release} is not null`;
  return `${of(table.current)} union all ${of(table.superseded)} limit 1`;
}

/** When the mirror first had an answer of a series. */
export function sinceSelect(series: number): Where {
  return { sql: 'select at from commits where series = ? order by number limit 1', values: [series] };
}
