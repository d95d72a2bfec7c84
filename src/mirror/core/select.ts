import { dateToMs, isCalendarDate, parseInstant } from '../../contract/time/time.ts';
import type { KeyValue } from '../api/rows.ts';
import type { Selection } from '../api/selection.ts';
import { quote, type Table } from './tables.ts';

export interface Where {
  readonly sql: string;
  readonly values: readonly KeyValue[];
}

/** The condition of a selection inside one series. Names come from the mapping, values are bound. */
export function whereOf(table: Table, series: number, selection: Selection): Where {
  const parts = ['series = ?'];
  const values: KeyValue[] = [series];
  const add = (sql: string, value: KeyValue) => {
    parts.push(sql);
    values.push(value);
  };
  const { from, to } = selectionBounds(table, selection);
  const windowed = quote(table.mapping.window?.column ?? table.key[0]?.name ?? '');
  if (from !== undefined) add(`${windowed} >= ?`, from);
  if (to !== undefined) add(`${windowed} <= ?`, to);
  for (const [name, value] of Object.entries(selection.where ?? {})) add(`${columnOf(table, name)} = ?`, value);
  const { release } = table.mapping;
  if (selection.releasedBy !== undefined && release)
    add(`(${quote(release)} is null or ${quote(release)} <= ?)`, selection.releasedBy);
  return { sql: parts.join(' and '), values };
}

/** The rows that a proof speaks of: where an endpoint has no window, all of the series. */
export function coveredSelection({ mapping }: Table, bounds: { from: KeyValue; to: KeyValue }): Selection {
  return mapping.window === undefined ? {} : bounds;
}

/** A column of the table, quoted; only those of the mapping can be named. */
export function columnOf(table: Table, name: string): string {
  if (![...table.key, ...table.columns].some((column) => column.name === name))
    throw new Error(`${table.endpoint} has no column '${name}'`);
  return quote(name);
}

/** Bounds in the type of the window column: a date bounds a column of instants by its first and last second. */
export function selectionBounds(
  table: Table,
  { from, to }: { readonly from?: KeyValue | undefined; readonly to?: KeyValue | undefined },
): { from: KeyValue | undefined; to: KeyValue | undefined } {
  const name = table.mapping.window?.column;
  const column = name === undefined ? table.key[0] : table.key.find((one) => one.name === name);
  if (column?.type !== 'integer') return { from, to };
  const lastSecond = typeof to === 'string' && isCalendarDate(to) ? dateToMs(to) / 1000 + 86_399 : to;
  return { from: instantOf(from), to: instantOf(lastSecond) };
}

function instantOf(bound: KeyValue | undefined): KeyValue | undefined {
  return typeof bound === 'string' ? (parseInstant(bound) ?? bound) : bound;
}
