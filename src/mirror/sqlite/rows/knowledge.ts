import type { AsOf } from '../../../contract/time/as-of.ts';
import type { Knowledge } from '../../api/mirror.ts';
import { datedRows, sinceSelect } from '../../core/as-of/knowledge.ts';
import type { Table } from '../../core/tables.ts';
import type { HistoryTables, PastReader } from './past/past-reader.ts';

/**
 * What the mirror can tell of a series at a moment. Walk: everything when it stored the series by then; to the mirror itself
 * nothing else counts; else something when a row was in force; to the public also when any row says when it was published,
 * for then the moment was before all of it.
 */
export function knowledgeReader({ statements }: HistoryTables, table: Table, past: PastReader) {
  const dated = datedRows(table);

  function tells(series: number, asOf: AsOf): Omit<Knowledge, 'since'> {
    if (asOf.by === 'mirrored') return { tells: false };
    // The cheaper look first, which nearly always tells; then the oldest row, the likeliest to have been known by then.
    if (asOf.by === 'public' && statements.raw<[number]>(dated).get(series, series) !== undefined)
      return { tells: true, always: true };
    return {
      tells: past.page(series, { asOf }, { limit: 1, offset: 0, reverse: table.direction === 'desc' }).length > 0,
    };
  }

  return (series: number, asOf: AsOf): Knowledge => {
    const { sql, values } = sinceSelect(series);
    const since = statements.raw<[number]>(sql).get(...values)?.[0] ?? Number.POSITIVE_INFINITY;
    return since <= asOf.at ? { tells: true, since } : { ...tells(series, asOf), since };
  };
}
