type Price = number | null | undefined;

/** A daily row as the series holds it: a value, and a bar where there were enough observations for one. */
export interface Bar {
  readonly val: number | null;
  readonly open?: Price;
  readonly high?: Price;
  readonly low?: Price;
  readonly close?: Price;
}

/** A series as columns, oldest first, NaN where a row has no number. A price that no row has is left out. */
export interface BarColumns {
  readonly vals: Float64Array;
  readonly highs?: Float64Array | undefined;
  readonly lows?: Float64Array | undefined;
  readonly closes?: Float64Array | undefined;
}

/** A list of bars, oldest first, as columns. */
export function columnsOf(bars: readonly Bar[]): BarColumns {
  const column = () => new Float64Array(bars.length);
  const columns = { vals: column(), highs: column(), lows: column(), closes: column() };
  for (const [row, { val, high, low, close }] of bars.entries()) {
    columns.vals[row] = val ?? Number.NaN;
    columns.highs[row] = high ?? Number.NaN;
    columns.lows[row] = low ?? Number.NaN;
    columns.closes[row] = close ?? Number.NaN;
  }
  return columns;
}
