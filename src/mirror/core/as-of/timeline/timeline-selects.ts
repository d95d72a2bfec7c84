import { orderOf } from '../../page.ts';
import { ROW_VERSION_KEY, rowVersionColumns } from '../../row-versions.ts';
import type { Where } from '../../select.ts';
import type { Table } from '../../tables.ts';
import { VINTAGE_KEY, vintageColumns } from '../../vintages.ts';

/** What a timeline selects: every text that the rows of a series had, and every vintage that they listed, in answer order. */
export function timelineSelects(table: Table, series: number): { readonly texts: Where; readonly listed: Where } {
  const { superseded, current } = rowVersionColumns(table);
  const orderBy = (first: number) =>
    orderOf(
      table.key.map((_, i) => first + i),
      table,
    );
  return {
    texts: {
      sql: `select ${superseded} from ${table.superseded} where series = ?
        union all select ${current} from ${table.current} where series = ? order by ${orderBy(ROW_VERSION_KEY)}`,
      values: [series, series],
    },
    listed: {
      sql: `select ${vintageColumns(table)} from ${table.vintages} where series = ? order by ${orderBy(VINTAGE_KEY)}`,
      values: [series],
    },
  };
}
