import { numberTextIn, type RowNumbers } from '../../contract/json/body.ts';
import type { JsonText } from '../../contract/json/json.ts';
import { TECHNICAL_NAMES, type TechnicalName } from '../../contract/words/technicals.ts';
import { roundHalfEven } from '../round.ts';
import { type Bar, type BarColumns, columnsOf } from './bar.ts';
import { computeFields } from './families.ts';
import { TECHNICAL_ROW_FIELDS, type TechnicalField } from './fields.ts';
import { type Prices, pricesOf } from './prices.ts';
import { TECHNICAL_FACES } from './table.ts';

export type { Bar, BarColumns } from './bar.ts';

/** One number a row for every field that is computed, from the first asked row on; NaN where there is none. */
export type Columns = Readonly<Partial<Record<TechnicalField, Float64Array>>>;

/** Decimals of an indicator in an answer; see docs/interface.md#numbers. */
const DIGITS = 6;

/** What the answer says about how its indicators were computed (`technical_indicator_basis`). */
export const TECHNICAL_BASIS =
  'Computed on the whole daily history up to end_date, before the window is cut; bars where the row has one, its val otherwise.';

/** A top-level indicator: a number, or the members of an object; null where history is too short. */
type IndicatorValue = number | null | Readonly<Record<string, number | null>>;

/** Indicators of a whole series, by row. */
export interface Technicals {
  /** Fields that the asked names add to every row, in the order of the service's rows. */
  readonly fields: readonly TechnicalField[];
  /** Exact values; besides those of `fields`, those that only top-level objects show. */
  readonly columns: Columns;
  /** The indicators of a row in the order of `fields`. */
  rowNumbers(row: number): Omit<RowNumbers, 'from'>;
  /** The same as JSON, rounded and spelled as floats. */
  rowTexts(row: number): readonly JsonText[];
  /** The top-level `indicators` when `row` is the newest one of the window; every name null when there is no such row. */
  indicatorsAt(row: number): Readonly<Partial<Record<TechnicalName, IndicatorValue>>>;
}

/**
 * Technical indicators of a daily series, oldest bar first, with constant work a row. Only what the asked names
 * need is computed, on the whole series: the window is cut afterwards, so a value does not depend on the window.
 *
 * A row without a complete bar counts as one whose open, high, low and close are its `val`; averages read the close. A row
 * whose `val` is null is no bar: it has no indicators, and those of later rows do not notice it. Values before the warm-up
 * is over are absent. Values are rounded half to even at 6 decimals on output, never inside a recurrence.
 *
 * | name | definition | seed | first bar | flat market | source |
 * |---|---|---|---|---|---|
 * | sma_n | mean of the last n closes | - | n | | textbooks |
 * | ema_n | e + (close - e) * 2 / (n + 1) | mean of the first n closes | n | | Appel |
 * | macd, _signal, _histogram | ema_12 - ema_26; its 9-day exponential average; their difference | as ema | 26, 34, 34 | 0 | Appel |
 * | rsi_14 | 100 * gain / (gain + loss), Wilder averages of the changes | mean of the first 14 changes | 15 | 50 | Wilder 1978 |
 * | atr_14 | Wilder average of the true range, the first being high - low | mean of the first 14 | 14 | 0 | Wilder 1978 |
 * | adx_14 | Wilder average of 100 * abs(+DI - -DI) / (+DI + -DI) | means of the first 14 movements, then 14 DX | 28 | 0 | Wilder 1978 |
 * | stochastic_14_3 | %K = 100 * (close - low14) / (high14 - low14); %D = mean of 3 %K | - | 14, 16 | 50 | Lane |
 * | williams_r_14 | -100 * (high14 - close) / (high14 - low14) | - | 14 | -50 | Williams 1973 |
 * | cci_20 | (tp - mean) / (0.015 * mean deviation), tp = (high + low + close) / 3 | - | 20 | 0 | Lambert 1980 |
 * | donchian_20 | highest high, lowest low of 20 bars with the present one; their middle | - | 20 | | Donchian |
 * | bollinger_bands | mean of 20 closes, and 2 population deviations to each side | - | 20 | | Bollinger 2001 |
 *
 * Every recurrence runs over all rows; of the rows before `firstRow` nothing else is worked out, and they have no result. Wilder's average is a + (x - a) / 14. Each unit of this folder says more about its own.
 */
export function technicals(
  given: readonly Bar[] | BarColumns,
  names: readonly TechnicalName[] = TECHNICAL_NAMES,
  firstRow = 0,
): Technicals {
  const bars = 'vals' in given ? given : columnsOf(given);
  const rows = bars.vals.length;
  const first = Math.min(firstRow, rows);
  const prices = pricesOf(bars, first);
  const needed = new Set(names.flatMap((name) => fieldsOf(name)));
  const computed = [...computeFields(prices, needed)].map(([field, values]) => [
    field,
    byRow(values, prices, { rows, first }),
  ]);
  const columns: Columns = Object.fromEntries(computed);
  const members = new Set(names.flatMap((name) => TECHNICAL_FACES[name].row));
  const fields = TECHNICAL_ROW_FIELDS.filter((field) => members.has(field));
  const shown = fields.map((field) => columns[field] ?? new Float64Array());
  const rowNumbers = (row: number) => ({ columns: shown, row: row - first, round: roundIndicator });
  return {
    fields,
    columns,
    rowNumbers,
    rowTexts: (row) => fields.map((_, column) => numberTextIn(rowNumbers(row), column)),
    indicatorsAt: (row) => indicatorsAt(columns, names, row < first || row >= rows ? undefined : row - first),
  };
}

function fieldsOf(name: TechnicalName): readonly TechnicalField[] {
  const { row, top } = TECHNICAL_FACES[name];
  return [...row, ...(typeof top === 'string' ? [] : Object.values(top))];
}

/** Results of bars at the rows that they stand on. */
function byRow(
  values: Float64Array,
  { rows: priceRows, firstShown }: Prices,
  { rows, first }: { rows: number; first: number },
) {
  if (!priceRows) return values;
  const column = new Float64Array(rows - first).fill(Number.NaN);
  for (let i = 0; i < values.length; i += 1) column[(priceRows[firstShown + i] ?? 0) - first] = values[i] ?? Number.NaN;
  return column;
}

function indicatorsAt(columns: Columns, names: readonly TechnicalName[], row: number | undefined) {
  const topOf = (name: TechnicalName): IndicatorValue => {
    if (row === undefined) return null;
    const { top } = TECHNICAL_FACES[name];
    if (typeof top === 'string') return valueAt(columns, top, row);
    return Object.fromEntries(Object.entries(top).map(([member, field]) => [member, valueAt(columns, field, row)]));
  };
  return Object.fromEntries(names.map((name) => [name, topOf(name)]));
}

function valueAt(columns: Columns, field: TechnicalField, row: number): number | null {
  return roundedAt(columns[field], row);
}

function roundedAt(values: Float64Array | undefined, row: number): number | null {
  const value = values?.[row] ?? Number.NaN;
  return Number.isNaN(value) ? null : roundIndicator(value);
}

function roundIndicator(value: number): number {
  return roundHalfEven(value, DIGITS);
}
