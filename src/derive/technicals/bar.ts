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
  const column = (read: (bar: Bar) => Price) => Float64Array.from(bars, (bar) => read(bar) ?? Number.NaN);
  return {
    vals: column(({ val }) => val),
    highs: column(({ high }) => high),
    lows: column(({ low }) => low),
    closes: column(({ close }) => close),
  };
}
