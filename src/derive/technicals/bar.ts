/** A daily row as the series holds it: a value, and a bar where there were enough observations for one. */
export interface Bar {
  readonly val: number | null;
  readonly open?: number | null | undefined;
  readonly high?: number | null | undefined;
  readonly low?: number | null | undefined;
  readonly close?: number | null | undefined;
}

/** The three prices that indicators read. */
export interface Prices {
  high: number;
  low: number;
  close: number;
}

/**
 * Reads the prices of a row into `prices`; false when the row has no value and therefore counts as no bar at all. Without
 * a complete bar the value stands for all prices, so a row with a high and no close is a row without a bar.
 */
export function readPrices(bar: Bar, prices: Prices): boolean {
  const { val, high, low, close } = bar;
  if (!isPrice(val)) return false;
  const whole = isPrice(high) && isPrice(low) && isPrice(close);
  prices.high = whole ? high : val;
  prices.low = whole ? low : val;
  prices.close = whole ? close : val;
  return true;
}

function isPrice(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
