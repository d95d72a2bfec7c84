import type { JsonObject } from '../../contract/json/json.ts';
import type { KeyValue } from '../api/rows.ts';
import { field, parseStoredRow } from './columns.ts';
import { wholeText } from './short-text.ts';
import { columnNamesOf, quote, type Table } from './tables.ts';
import { comparable, VALUE_FIELD, type VintageTuple } from './vintages.ts';

/** One text that a row had, from the commit that brought it to the one that ended it. */
export interface RowVersion {
  readonly key: readonly KeyValue[];
  /** Number of the commit that brought the observation. */
  readonly seen: number;
  /** Number of the commit that brought the text, where only fields of the question changed since. */
  readonly refreshed: number | undefined;
  /** Number of the commit that replaced it or saw it vanish; undefined while it is current. */
  readonly ended: number | undefined;
  /** Unix seconds. */
  readonly release: number | undefined;
  /** The release comes from an importer's rule. */
  readonly assumed: boolean;
  readonly keyed: boolean;
  readonly text: string;
  readonly row: JsonObject;
  /** The value as comparable text. */
  readonly value: string;
}

/** What is selected of a stage, in this order: `ended` is null in the table of current rows. */
export type RowVersionTuple = [
  ended: number | null,
  seen: number,
  refreshed: number | null,
  release: number | null,
  assumed: number | null,
  keyed: 0 | 1,
  text: string,
  ...key: KeyValue[],
];

/** Ordinal of the first key column in a select of stages. */
export const ROW_VERSION_KEY = 8;

export const keyOfRowVersion = (tuple: RowVersionTuple): readonly KeyValue[] =>
  tuple.slice(ROW_VERSION_KEY - 1) as KeyValue[]; // key columns come last

/** The select lists of the two tables that hold stages; they may be united. */
export function rowVersionColumns(table: Table): { readonly current: string; readonly superseded: string } {
  const release = table.mapping.release === undefined ? 'null' : quote(table.mapping.release);
  const own = ['seen', 'refreshed', release, 'assumed_release', 'keyed', wholeText(table)];
  const list = [...own, ...columnNamesOf(table.key)].join(', ');
  return { current: `null as superseded, ${list}`, superseded: `superseded, ${list}` };
}

export function rowVersionOf(
  { mapping }: Table,
  [ended, seen, refreshed, release, assumed, keyed, text, ...key]: RowVersionTuple,
): RowVersion {
  const row = parseStoredRow(text);
  return {
    key,
    seen,
    refreshed: refreshed ?? undefined,
    ended: ended ?? undefined,
    release: release ?? assumed ?? undefined,
    assumed: release === null && assumed !== null,
    keyed: keyed === 1,
    text,
    row,
    value: comparable(field(row, mapping.value ?? VALUE_FIELD)),
  };
}

/** Had the mirror this stage as the current one after a commit? */
export function wasCurrent({ seen, ended }: RowVersion, commit: number): boolean {
  return seen <= commit && (ended === undefined || ended > commit);
}

/** What is stored of one row: the texts that it had, and the vintages that they listed. */
export interface StoredRowVersion {
  readonly key: readonly KeyValue[];
  readonly texts: readonly [RowVersionTuple, ...RowVersionTuple[]];
  readonly listed: readonly VintageTuple[];
}
