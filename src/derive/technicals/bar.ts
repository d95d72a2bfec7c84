type Price = number | null | undefined;

/** A daily row as the series holds it: a value, and a bar where there were enough observations for one. */
export interface Bar {
  readonly val: number | null;
  readonly open?: Price;
  readonly high?: Price;
  readonly low?: Price;
  readonly close?: Price;
}

/** A series that is asked for its prices row by row, oldest first, so that whoever holds them need not copy them. */
export interface BarSource {
  readonly length: number;
  val(row: number): Price;
  high(row: number): Price;
  low(row: number): Price;
  close(row: number): Price;
}

/** A list of bars, oldest first, as a source. */
export function sourceOf(bars: readonly Bar[]): BarSource {
  return {
    length: bars.length,
    val: (row) => bars[row]?.val,
    high: (row) => bars[row]?.high,
    low: (row) => bars[row]?.low,
    close: (row) => bars[row]?.close,
  };
}
