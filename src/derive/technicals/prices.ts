import type { BarColumns } from './bar.ts';

/** The bars that indicators are made of, oldest first: the rows of a series that have a value. */
export interface Prices {
  readonly length: number;
  /** Row of the series that each bar stands on; left out when every row is a bar. */
  readonly rows?: Int32Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly closes: Float64Array;
  /**
   * The first bar whose results are asked for. A unit answers with one number a bar from there on, NaN where there is
   * none, and works out of the bars before it only what its results rest on.
   */
  readonly firstShown: number;
}

/**
 * The bars of a series, results being asked for from a row on. A row without a value is no bar; without a complete bar the
 * value stands for all prices.
 */
export function pricesOf(series: BarColumns, firstRow: number): Prices {
  const { highs, lows, closes } = series;
  const rows = barRows(series.vals);
  const vals = rows ? gather(series.vals, rows) : series.vals;
  const firstShown = rows ? countBefore(rows, firstRow) : firstRow;
  const shared = { length: vals.length, firstShown, ...(rows && { rows }) };
  if (!highs || !lows || !closes) return { ...shared, highs: vals, lows: vals, closes: vals };
  const bars = { highs: new Float64Array(vals.length), lows: vals.slice(), closes: vals.slice() };
  for (let i = 0; i < vals.length; i += 1) {
    const row = rows?.[i] ?? i;
    const [high, low, close] = [highs[row] ?? Number.NaN, lows[row] ?? Number.NaN, closes[row] ?? Number.NaN];
    const isWhole = Number.isFinite(high) && Number.isFinite(low) && Number.isFinite(close);
    bars.highs[i] = isWhole ? high : (vals[i] ?? Number.NaN);
    if (!isWhole) continue;
    bars.lows[i] = low;
    bars.closes[i] = close;
  }
  return { ...shared, ...bars };
}

/** What is no price. */
const ABSENT = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** The rows that have a value; undefined when all have. */
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

function gather(vals: Float64Array, rows: Int32Array): Float64Array {
  return Float64Array.from(rows, (row) => vals[row] ?? Number.NaN);
}

function countBefore(rows: Int32Array, firstRow: number): number {
  const found = rows.findIndex((row) => row >= firstRow);
  return found < 0 ? rows.length : found;
}
