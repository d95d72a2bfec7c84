import type { RowNumbers } from '../../contract/json/body.ts';
import { roundHalfEven } from '../decimal.ts';
import type { Prices, TechnicalIndicator } from './indicator.ts';
import { INDICATOR_TABLE, TECHNICAL_NAMES, TECHNICAL_ROW_FIELDS } from './table.ts';

/** Decimals of an indicator in an answer; see docs/interface.md#numbers. */
const DIGITS = 6;

/** The note about the computation of its indicators (`technical_indicator_basis`). */
export const TECHNICAL_BASIS =
  'Computed on the whole daily history up to end_date, before the window is cut; bars where the row has one, its val otherwise.';

/** A series as columns, oldest first, NaN where a row has no number. A price that no row has is left out. */
export interface BarColumns {
  readonly vals: Float64Array;
  readonly highs?: Float64Array | undefined;
  readonly lows?: Float64Array | undefined;
  readonly closes?: Float64Array | undefined;
  /** Rows with which the series begins anew: nothing before such a row counts for it or a later one. */
  readonly beginnings?: readonly number[];
}

/** By field: one number a row from the first asked row on; NaN where there is none. */
export type IndicatorColumns = Readonly<Partial<Record<string, Float64Array>>>;

/** A top-level indicator: a number, or the members of an object; null where history is too short. */
type IndicatorValue = number | null | Readonly<Record<string, number | null>>;

/** Indicators of a whole series, by row. */
export interface Technicals {
  /** Fields that the asked names add to every row, in the order of the service's rows. */
  readonly fields: readonly string[];
  /** Exact values of `fields`, and of members that only top-level objects show. */
  readonly columns: IndicatorColumns;
  /** The indicators of a row in the order of `fields`. */
  rowNumbers(row: number): Omit<RowNumbers, 'from'>;
  /** The top-level `indicators` when `row` is the newest one of the window; every name null when there is no such row. */
  indicatorsAt(row: number): Readonly<Record<string, IndicatorValue>>;
}

/**
 * Technical indicators, oldest bar first, with constant work a row, over all rows, so that no window changes a value. A
 * new beginning of the series restarts them. A row without a bar has `val` for all prices; null is no bar. Values
 * before the warm-up are absent; rounding (half to even, 6 decimals) comes last. Rows before `firstRow` have no result.
 */
export function technicals(bars: BarColumns, names: readonly string[] = TECHNICAL_NAMES, firstRow = 0): Technicals {
  const rows = bars.vals.length;
  const first = Math.min(firstRow, rows);
  const asked = names.flatMap((name) => INDICATOR_TABLE.find((indicator) => indicator.name === name) ?? []);
  const columns = indicatorColumns(bars, asked, first);
  const inRows = new Set(asked.flatMap((indicator) => Object.keys(indicator.fields)));
  const fields = TECHNICAL_ROW_FIELDS.filter((field) => inRows.has(field));
  const shown = fields.map((field) => columns[field] ?? new Float64Array());
  return {
    fields,
    columns,
    rowNumbers: (row) => ({ columns: shown, row: row - first, round: roundIndicator }),
    indicatorsAt: (row) => indicatorsAt(columns, asked, row < first || row >= rows ? undefined : row - first),
  };
}

/** Exact columns of indicators, one number a row from `firstRow` on, NaN where there is none. */
function indicatorColumns(
  series: BarColumns,
  indicators: readonly TechnicalIndicator[],
  firstRow: number,
): IndicatorColumns {
  const { vals, highs, lows, closes, beginnings = [] } = series;
  if (beginnings.length === 0) return unbrokenColumns(series, indicators, firstRow);
  const parts = [0, ...beginnings].flatMap((start, i) => {
    const end = beginnings[i] ?? vals.length;
    if (end <= firstRow) return [];
    const part = (prices: Float64Array | undefined) => prices?.subarray(start, end);
    const bars = { vals: vals.subarray(start, end), highs: part(highs), lows: part(lows), closes: part(closes) };
    return [unbrokenColumns(bars, indicators, Math.max(0, firstRow - start))];
  });
  const fields = Object.keys(parts[0] ?? {});
  return Object.fromEntries(
    fields.map((field) => [field, Float64Array.from(parts.flatMap((part) => [...(part[field] ?? [])]))]),
  );
}

function unbrokenColumns(
  series: BarColumns,
  indicators: readonly TechnicalIndicator[],
  firstRow: number,
): IndicatorColumns {
  const rowOfBar = barRows(series.vals);
  const prices = pricesOf(series, rowOfBar, firstRow);
  const rows = series.vals.length - firstRow;
  const shared = new Map<TechnicalIndicator['compute'], ReturnType<TechnicalIndicator['compute']>>();
  const columns: Record<string, Float64Array> = {};
  for (const { compute, fields, members = {} } of indicators) {
    const computed = shared.get(compute) ?? compute(prices);
    shared.set(compute, computed);
    for (const field of [...Object.keys(fields), ...Object.values(members)]) {
      const values = computed[field] ?? new Float64Array();
      columns[field] ??= rowOfBar ? byRow(values, rowOfBar.subarray(prices.firstShown), { firstRow, rows }) : values;
    }
  }
  return columns;
}

/** Values that are no price. */
const ABSENT = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** The rows that have a value, each a bar; undefined when all have. */
function barRows(vals: Float64Array): Int32Array | undefined {
  if (!ABSENT.some((value) => vals.includes(value))) return undefined;
  const rows = new Int32Array(vals.length);
  let count = 0;
  for (let row = 0; row < vals.length; row += 1) {
    rows[count] = row;
    if (Number.isFinite(vals[row])) count += 1;
  }
  return rows.subarray(0, count);
}

/** The bars of a series, results being asked for from a row on. Without a complete bar the value stands for all prices. */
function pricesOf(series: BarColumns, rowOfBar: Int32Array | undefined, firstRow: number): Prices {
  const { highs, lows, closes } = series;
  const vals = rowOfBar ? Float64Array.from(rowOfBar, (row) => series.vals[row] ?? Number.NaN) : series.vals;
  const firstShown = rowOfBar ? countBefore(rowOfBar, firstRow) : firstRow;
  const shared = { length: vals.length, firstShown };
  if (!highs || !lows || !closes) return { ...shared, highs: vals, lows: vals, closes: vals };
  const bars = { highs: new Float64Array(vals.length), lows: vals.slice(), closes: vals.slice() };
  for (let i = 0; i < vals.length; i += 1) {
    const row = rowOfBar?.[i] ?? i;
    const [high, low, close] = [highs[row] ?? Number.NaN, lows[row] ?? Number.NaN, closes[row] ?? Number.NaN];
    const isWhole = Number.isFinite(high) && Number.isFinite(low) && Number.isFinite(close);
    bars.highs[i] = isWhole ? high : (vals[i] ?? Number.NaN);
    if (!isWhole) continue;
    bars.lows[i] = low;
    bars.closes[i] = close;
  }
  return { ...shared, ...bars };
}

function countBefore(rows: Int32Array, firstRow: number): number {
  const found = rows.findIndex((row) => row >= firstRow);
  return found < 0 ? rows.length : found;
}

/** Results of bars at the rows that they stand on. */
function byRow(
  values: Float64Array,
  rowOfValue: Int32Array,
  { firstRow, rows }: { readonly firstRow: number; readonly rows: number },
): Float64Array {
  const column = new Float64Array(rows).fill(Number.NaN);
  for (let i = 0; i < values.length; i += 1) column[(rowOfValue[i] ?? 0) - firstRow] = values[i] ?? Number.NaN;
  return column;
}

function indicatorsAt(
  columns: IndicatorColumns,
  indicators: readonly TechnicalIndicator[],
  row: number | undefined,
): Readonly<Record<string, IndicatorValue>> {
  const numberAt = (field: string) => roundedAt(columns[field], row ?? -1);
  const topOf = ({ name, members }: TechnicalIndicator): IndicatorValue => {
    if (row === undefined) return null;
    if (!members) return numberAt(name);
    return Object.fromEntries(Object.entries(members).map(([member, field]) => [member, numberAt(field)]));
  };
  return Object.fromEntries(indicators.map((indicator) => [indicator.name, topOf(indicator)]));
}

function roundedAt(values: Float64Array | undefined, row: number): number | null {
  const value = values?.[row] ?? Number.NaN;
  return Number.isNaN(value) ? null : roundIndicator(value);
}

function roundIndicator(value: number): number {
  return roundHalfEven(value, DIGITS);
}
