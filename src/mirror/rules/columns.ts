import { type Json, type JsonObject, jsonEqual, parseObject } from '../../contract/json/json.ts';
import { type Column, type ColumnMoment, memberFor } from '../../contract/mapping.ts';
import { parseInstant, secondsOfNs } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { NewRow } from '../api/page-commit.ts';
import type { KeyValue } from '../api/series.ts';
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

/** A typed column for `where` and `order by`: another type becomes null, instants become Unix seconds. */
export function columnValue(type: Column['type'], value: Json | undefined): KeyValue | null {
  if (value === undefined || value === null) return null;
  if (type === 'text') return textValue(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return type === 'real' ? value : integerOf(value);
  if (typeof value !== 'string') return null;
  if (type === 'integer') return integerOf(parseInstant(value));
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? null : number;
}

/** The value of a column in a row, or what stands in for it. */
export function valueIn(row: JsonObject, column: Column): KeyValue | null {
  const own = columnValue(column.type, memberFor(row, column));
  if (own !== null) return own;
  for (const moment of column.orElse ?? []) {
    const instant = instantIn(row, moment);
    if (instant !== undefined) return instant;
  }
  return null;
}

/** The instant (Unix seconds) that a row states somewhere. */
function instantIn(row: JsonObject, { from, unit }: ColumnMoment): number | undefined {
  const value = memberFor(row, { name: from, type: 'integer', from });
  if (unit === 'ns') return secondsOfNs(value);
  const seconds = columnValue('integer', value);
  return typeof seconds === 'number' ? seconds : undefined;
}

/** The same in Unix nanoseconds, as exact as the row says it. */
export function momentNs(row: JsonObject, moment: ColumnMoment): bigint | undefined {
  const digits =
    moment.unit === 'ns' ? memberFor(row, { name: moment.from, type: 'integer', from: moment.from }) : undefined;
  if (typeof digits === 'string' && /^\d{1,19}$/.test(digits)) return BigInt(digits);
  const seconds = instantIn(row, moment);
  return seconds === undefined ? undefined : BigInt(seconds) * 1_000_000_000n;
}

/** A text as a database stores it: half of a surrogate pair has no UTF-8. */
function textValue(value: Json): string | null {
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value === 'object' ? null : String(value);
}

function integerOf(value: number | undefined): number | null {
  return value === undefined || !Number.isSafeInteger(Math.trunc(value)) ? null : Math.trunc(value);
}

/** The key of a row; without one its page is refused. @throws MacroError of kind `protocol`. */
function keyOfRow(table: Table, row: NewRow): readonly KeyValue[] {
  const key: KeyValue[] = [];
  for (const column of table.key) {
    const value = columnValue(column.type, keyField(table, row, column));
    if (value === null) throw withoutKey(table, column);
    key.push(value);
  }
  return key;
}

function withoutKey({ endpoint }: Table, { name }: Column): MacroError {
  return new MacroError('protocol', `A row of ${endpoint} came without a usable '${name}'.`, {
    hint: 'Nothing of this answer was stored. Ask again; if it stays, the service has changed its answers.',
    code: 'row_without_key',
  });
}

/** In a body that is a map, the name of the member is the key. */
function keyField(table: Table, row: NewRow, column: Column): Json | undefined {
  const named = row.name !== undefined && row.name !== '';
  if (named && (table.key.length === 1 || memberFor(row.value, column) === undefined)) return row.name;
  return memberFor(row.value, column);
}

/** An own member: a row may be called `__proto__` or `constructor` and stays data. */
export function field(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export const parseStoredRow = parseObject;

/** Identity of a key inside its series. */
export function keyId(key: readonly KeyValue[]): string | number {
  const [only] = key;
  return key.length === 1 && only !== undefined ? only : JSON.stringify(key);
}

/** Rows in the order of the table; repeated keys are refused. @throws MacroError of kind `protocol`. */
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
  return new MacroError('protocol', `An answer of ${table.endpoint} has two different rows for ${key.join(', ')}.`, {
    hint: 'Nothing of this answer was stored. Ask again; if it stays, the service has changed its answers.',
    code: 'row_twice',
  });
}

/** Compares parsed values, since spelling is not stable. `dependent`: only fields of question or neighbours differ. */
export function compareRows(
  stored: JsonObject,
  received: JsonObject,
  dependent: ReadonlySet<string>,
): 'same' | 'dependent' | 'revised' {
  let difference: 'same' | 'dependent' = 'same';
  for (const name of namesOf(stored, received)) {
    if (sameMember(stored, received, name)) continue;
    if (!dependent.has(name)) return 'revised';
    difference = 'dependent';
  }
  return difference;
}

function namesOf(stored: JsonObject, received: JsonObject): readonly string[] {
  return [...Object.keys(stored), ...Object.keys(received).filter((name) => !Object.hasOwn(stored, name))];
}

function sameMember(stored: JsonObject, received: JsonObject, name: string): boolean {
  return Object.hasOwn(stored, name) && Object.hasOwn(received, name) && jsonEqual(stored[name], received[name]);
}
