import { MacroError } from '../../errors.ts';
import type { NewRow } from '../api/page-commit.ts';
import type { KeyValue } from '../api/rows.ts';
import { keyOfRow, valueIn } from './columns.ts';
import type { Checksum } from './sums.ts';
import type { Table } from './tables.ts';

/** A received row with its key and typed columns taken out. */
export interface Prepared {
  readonly id: string | number;
  readonly key: readonly KeyValue[];
  readonly columns: readonly (KeyValue | null)[];
  readonly row: NewRow;
}

/** A current row without its typed columns. */
export interface StoredText {
  readonly text: string;
  readonly seen: number;
  readonly refreshed: number | null;
  /** An answer to a key brought or confirmed it. */
  readonly keyed: 0 | 1;
  readonly assumed: number | null;
}

/** Where a statement changes rows, and whose sums it moves. */
export interface RowPosition {
  readonly series: number;
  readonly checksum: Checksum;
}

/** Identity of a key inside its series. */
export function keyId(key: readonly KeyValue[]): string | number {
  const [only] = key;
  return key.length === 1 && only !== undefined ? only : JSON.stringify(key);
}

/**
 * Rows of a page in the order of the table, so that they are appended; a key that stands twice is refused.
 * @throws MacroError of kind `protocol`.
 */
export function prepareRows(table: Table, rows: readonly NewRow[]): readonly Prepared[] {
  const sign = table.direction === 'desc' ? -1 : 1;
  const prepared: Prepared[] = [];
  let isOrdered = true;
  let before: readonly KeyValue[] | undefined;
  for (const row of rows) {
    const key = keyOfRow(table, row);
    const columns: (KeyValue | null)[] = [];
    for (const column of table.columns) columns.push(valueIn(row.value, column));
    prepared.push({ id: keyId(key), key, columns, row });
    if (before && sign * compareKeys(before, key) >= 0) isOrdered = false;
    before = key;
  }
  // Where each row lies behind the one before it, none stands twice.
  return isOrdered ? prepared : eachOnce(table, prepared).sort((a, b) => sign * compareKeys(a.key, b.key));
}

function eachOnce(table: Table, rows: readonly Prepared[]): Prepared[] {
  const seen = new Map<string | number, Prepared>();
  for (const one of rows) {
    const other = seen.get(one.id);
    if (other && other.row.text !== one.row.text) throw twice(table, one.key);
    if (!other) seen.set(one.id, one);
  }
  return [...seen.values()];
}

/** Every row of every page is compared several times, so nothing is made for it. */
export function compareKeys(a: readonly KeyValue[], b: readonly KeyValue[]): number {
  for (let i = 0; i < a.length; i += 1) {
    const [value, other] = [a[i], b[i]];
    if (value === undefined || other === undefined || value === other) continue;
    return value < other ? -1 : 1;
  }
  return 0;
}

function twice(table: Table, key: readonly KeyValue[]): MacroError {
  return new MacroError('protocol', `An answer of ${table.endpoint} holds two different rows for ${key.join(', ')}.`, {
    hint: 'Nothing of this answer was stored. Ask again; if it stays, the service has changed its answers.',
    code: 'row_twice',
  });
}

/** Held rows by the identity of their key. */
export type KeyStretch = ReadonlyMap<string | number, StoredText>;

/** The rows of a page and, where they stand in one stretch, what was stored there. */
export interface PositionedPage {
  readonly series: number;
  readonly rows: readonly Prepared[];
  readonly range: KeyStretch | undefined;
}
