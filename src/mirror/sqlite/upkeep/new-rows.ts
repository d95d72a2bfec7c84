import type { JsonObject } from '../../../contract/json/json.ts';
import { type Column, memberFor } from '../../../contract/mapping.ts';
import type { KeyValue } from '../../api/mirror.ts';
import { columnValue, parseStoredRow, valueIn } from '../../core/columns.ts';
import { type Digest, markOf } from '../../core/digest.ts';
import { shortener } from '../../core/short-text.ts';
import type { RowPart } from '../../core/sums.ts';
import { columnNamesOf, type Table } from '../../core/tables.ts';
import type { SqliteConnection } from '../database-file.ts';
import { OWN_SELECTED, storedDigest } from '../stored-digest.ts';
import type { OldRow } from './old-rows.ts';

/**
 * Writes old rows into the table of a mapping, their columns taken from their texts. Gives the digest; undefined for a row
 * whose text has no key for this mapping, or whose key another row has taken. `before`: the key columns of the old rows.
 */
export function newRowWriter(
  db: SqliteConnection,
  { table, part, before }: { readonly table: Table; readonly part: RowPart; readonly before: readonly string[] },
): (row: OldRow) => Digest | undefined {
  const keyOf = keyReader(table, before);
  const own = OWN_SELECTED[part].map((name) => /^cast\((\w+)/.exec(name)?.[1] ?? name);
  const columns = part === 'vintages' ? [] : table.columns;
  const names = ['series', ...columnNamesOf(table.key), ...columnNamesOf(columns), ...own, 'mark', 'text'];
  const target = { current: table.current, superseded: table.superseded, vintages: table.vintages }[part];
  if (target === undefined) return () => undefined;
  const shorten = part === 'vintages' ? (_: unknown, text: string) => text : shortener(table);
  const marks = names.map(() => '?').join(', ');
  const insert = db.prepare(`insert or ignore into ${target} (${names.join(', ')}) values (${marks})`);
  return (row) => {
    const value = part === 'vintages' ? {} : parseStoredRow(row.text);
    const key = keyOf(row, value);
    if (!key) return undefined;
    const isSame = key.length === row.key.length && key.every((one, i) => one === row.key[i]);
    const digest = isSame ? row.digest : storedDigest(part, { own: row.own, key, text: row.text });
    const typed = columns.map((column) => valueIn(value, column));
    const stored = row.own.map((one, i) => exactOf(OWN_SELECTED[part][i], one));
    const { changes } = insert.run(row.series, ...key, ...typed, ...stored, markOf(digest), shorten(key, row.text));
    return changes > 0 ? digest : undefined;
  };
}

/** Digits of nanoseconds as the integer that they are. */
function exactOf(selected: string | undefined, value: KeyValue | null): KeyValue | bigint | null {
  return selected?.startsWith('cast(') && typeof value === 'string' ? BigInt(value) : value;
}

/** Takes the key of a row from where each of its columns stood before, else from the text. */
function keyReader(
  table: Table,
  before: readonly string[],
): (row: OldRow, value: JsonObject) => readonly KeyValue[] | undefined {
  const columns = table.key.map((column) => ({ column, place: before.indexOf(column.name) }));
  return (row, value) => {
    const key: KeyValue[] = [];
    for (const { column, place } of columns) {
      const found = keyValue(column, row.key[place], value);
      if (found === null) return undefined;
      key.push(found);
    }
    return key;
  };
}

/** The old key first: in a body that is a map the text does not have it. */
function keyValue(column: Column, before: KeyValue | undefined, value: JsonObject): KeyValue | null {
  const isSame = before !== undefined && (typeof before === 'string') === (column.type === 'text');
  if (isSame) return before;
  return columnValue(column.type, memberFor(value, column)) ?? columnValue(column.type, before);
}
