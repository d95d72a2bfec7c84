import type { ChartPanel } from '../../contract/endpoint.ts';

/** An indicator of a daily series. A new one is a file of this folder and its line in `table.ts`. */
export interface TechnicalIndicator {
  /** Its word in `--indicators` and its member of the top-level `indicators`. */
  readonly name: string;
  /** Members that it adds to a row, each with the newest bars that a value rests on, its own among them. */
  readonly fields: Readonly<Record<string, number>>;
  /** Members of its top-level object, each with the field that it shows; left out where it shows its only field itself. */
  readonly members?: Readonly<Record<string, string>>;
  /** The names of its fields for people, in their order. */
  readonly labels: readonly string[];
  /** Over the price, or in a panel of its own. */
  readonly drawn: 'over the price' | ChartPanel;
  /** Columns by field. Indicators that name the same function share its columns. */
  readonly compute: (prices: Prices) => Readonly<Record<string, Float64Array>>;
}

/** Bars, oldest first, without missing dates: columns from `firstShown` on, NaN where there is none. */
export interface Prices {
  readonly length: number;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly closes: Float64Array;
  /** The first bar whose results are needed; 0 for whole columns. */
  readonly firstShown: number;
}

/** Bars that a recurrence rests on: all of the series. */
export const EVERY_BAR = Number.POSITIVE_INFINITY;

/** An indicator of one number a bar, whose field has its name. */
export function oneNumber(
  name: string,
  bars: number,
  drawn: 'over the price' | Omit<ChartPanel, 'values'>,
  compute: (prices: Prices) => Float64Array,
): TechnicalIndicator {
  return {
    name,
    fields: { [name]: bars },
    labels: [drawn === 'over the price' ? name.toUpperCase().replaceAll('_', ' ') : String(drawn.name)],
    drawn: drawn === 'over the price' ? drawn : { ...drawn, values: [name] },
    compute: (prices) => ({ [name]: compute(prices) }),
  };
}
