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
 * whose text has no key for this mapping, or whose key another row has taken.
 */
export function newRowWriter(db: SqliteConnection, table: Table, part: RowPart): (row: OldRow) => Digest | undefined {
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
    const key = keyFor(table, row, value);
    if (!key) return undefined;
    const digest = storedDigest(part, { own: row.own, key, text: row.text });
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

function keyFor(table: Table, row: OldRow, value: JsonObject): readonly KeyValue[] | undefined {
  const key: KeyValue[] = [];
  for (const column of table.key) {
    const found = keyValue(column, row, value);
    if (found === null) return undefined;
    key.push(found);
  }
  return key;
}

/** The old key first: in a body that is a map the text does not have it. */
function keyValue(column: Column, { key }: OldRow, value: JsonObject): KeyValue | null {
  const before = Object.hasOwn(key, column.name) ? key[column.name] : undefined;
  const isSame = before !== undefined && (typeof before === 'string') === (column.type === 'text');
  if (isSame) return before;
  return columnValue(column.type, memberFor(value, column)) ?? columnValue(column.type, before);
}
