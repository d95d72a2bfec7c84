import type { KeyValue, StoredRow } from '../../api/rows.ts';
import { keyOfRowVersion, type RowVersionTuple, type StoredRowVersion } from '../row-versions.ts';
import { compareKeys } from '../rows.ts';
import type { Table } from '../tables.ts';
import { keyOfVintage, type VintageTuple } from '../vintages.ts';
import type { CommitClock } from './commit-clock.ts';
import type { PastSelection } from './past.ts';
import { isSelected } from './past-conditions.ts';
import type { PastMoment } from './past-row.ts';
import { rowThen } from './past-stored.ts';

/** Texts of whole rows in the order of an answer, with the vintages that each row listed. */
export interface RowBatch {
  readonly tuples: readonly RowVersionTuple[];
  listedOf(key: readonly KeyValue[]): readonly VintageTuple[];
}

/** The rows as they were known at a moment, by the texts that each had and the vintages that it listed. */
export function rowsAt(
  table: Table,
  { tuples, listedOf }: RowBatch,
  { moment, clock, selection }: { moment: PastMoment; clock: CommitClock; selection: PastSelection },
): readonly StoredRow[] {
  const rows: StoredRow[] = [];
  for (const { key, texts } of byRow(tuples)) {
    const row = rowThen(table, { key, texts, listed: listedOf(key) }, { moment, clock });
    if (row && isSelected(table, row, selection)) rows.push(row);
  }
  return rows;
}

/** The texts of one row after the other. */
export function byRow(tuples: readonly RowVersionTuple[]): readonly Pick<StoredRowVersion, 'key' | 'texts'>[] {
  const rows: { key: readonly KeyValue[]; texts: [RowVersionTuple, ...RowVersionTuple[]] }[] = [];
  for (const tuple of tuples) {
    const key = keyOfRowVersion(tuple);
    const last = rows.at(-1);
    if (last && compareKeys(last.key, key) === 0) last.texts.push(tuple);
    else rows.push({ key, texts: [tuple] });
  }
  return rows;
}

/** Texts without those of the last row, which may have had more of them. */
export function withoutLastRow(tuples: readonly RowVersionTuple[]): readonly RowVersionTuple[] {
  const last = tuples.at(-1);
  if (!last) return tuples;
  const key = keyOfRowVersion(last);
  const end = tuples.findIndex((tuple) => compareKeys(keyOfRowVersion(tuple), key) === 0);
  return tuples.slice(0, end);
}

/** Gives the vintages of rows that are asked for in their order. */
export function listedInOrder({ direction }: Table, listed: readonly VintageTuple[], reverse: boolean) {
  const sign = (direction === 'desc') === reverse ? 1 : -1;
  let place = 0;
  return (key: readonly KeyValue[]): readonly VintageTuple[] => {
    const found: VintageTuple[] = [];
    for (; place < listed.length; place += 1) {
      const tuple = listed[place];
      const order = tuple ? sign * compareKeys(keyOfVintage(tuple), key) : 1;
      if (order > 0) break;
      if (tuple && order === 0) found.push(tuple);
    }
    return found;
  };
}
