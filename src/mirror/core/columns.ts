import { type Json, type JsonObject, parseObject } from '../../contract/json/json.ts';
import { type Column, type ColumnMoment, memberFor } from '../../contract/mapping.ts';
import { parseInstant, secondsOfNs } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { NewRow } from '../api/page-commit.ts';
import type { KeyValue } from '../api/rows.ts';
import type { Table } from './tables.ts';

/**
 * The value of a typed column. Columns only serve `where` and `order by`, so a value of another type becomes null there:
 * the row's text has it as it came. Instants are kept as Unix seconds however they are spelled.
 */
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

function textValue(value: Json): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? null : String(value);
}

function integerOf(value: number | undefined): number | null {
  return value === undefined || !Number.isSafeInteger(Math.trunc(value)) ? null : Math.trunc(value);
}

/**
 * Key of a row, by the mapping; a row without one cannot be kept and nothing of its page is.
 * @throws MacroError of kind `protocol`.
 */
export function keyOfRow(table: Table, row: NewRow): readonly KeyValue[] {
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
