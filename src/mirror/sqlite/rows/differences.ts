import type { RowDifference } from '../../api/mirror.ts';
import type { DifferencePage } from '../../api/past-knowledge.ts';
import { differencesOf } from '../../core/as-of/differences.ts';
import type { Table } from '../../core/tables.ts';
import type { PastReader } from './past/past-reader.ts';

/**
 * What became of the rows between two moments. Walk: both states in answer order, one row after the other; a row that only
 * one of them has was added or withdrawn; of one that both have the texts tell whether the observation was revised.
 */
export function differenceReader(table: Table, past: PastReader) {
  return (series: number, { from, to, limit, after }: DifferencePage): readonly RowDifference[] => {
    const [left, right] = [past.iterate(series, { asOf: from }, after), past.iterate(series, { asOf: to }, after)];
    try {
      return differencesOf(table, { left, right }, limit);
    } finally {
      left.return(undefined);
      right.return(undefined);
    }
  };
}
