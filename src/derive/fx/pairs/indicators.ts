import type { Coverage } from '../../../contract/time/coverage.ts';
import { BARS_NEEDED, TECHNICAL_NAMES } from '../../technicals/table.ts';
import { type IndicatorColumns, type Technicals, technicals } from '../../technicals/technicals.ts';
import { barsReaching } from './coverage.ts';
import type { DayRange } from './dates.ts';
import type { Rates } from './fx-route.ts';
import { NO_TECHNICALS, type RowTechnicals } from './rows.ts';

/** How many of the newest rows are shown, and what is covered of the history. */
export interface Look {
  readonly shown: number;
  readonly coverage: Coverage;
}

/** Technical indicators of a pair; rows are counted from its newest one. */
export interface Indicators {
  /** Those that every row has. */
  readonly fields: readonly string[];
  ofRow(place: number): RowTechnicals;
  /** Is a value of any of these rows null because a bar that it rests on is not covered? */
  hasWithheld(range: DayRange): boolean;
  /** The top-level `indicators` of a row; every name null without one. */
  newestAt(place: number | undefined): ReturnType<Technicals['indicatorsAt']>;
}

/** Columns that the indicators read of a row beside its value. */
export const BAR_PRICES = ['high', 'low', 'close'] as const;

/**
 * Technicals over the whole history, given newest first, for so many of its newest rows. The window is cut afterwards, so it
 * never changes a value.
 */
export function computeIndicators(history: Rates, requested: readonly string[], look: Look): Indicators {
  const names = TECHNICAL_NAMES.filter((name) => requested.includes(name));
  if (names.length === 0)
    return {
      fields: NO_TECHNICALS.names,
      ofRow: () => NO_TECHNICALS,
      newestAt: () => ({}),
      hasWithheld: () => false,
    };
  const { shown, coverage } = look;
  const last = history.dates.length - 1;
  const [highs, lows, closes] = BAR_PRICES.map((name) => history.prices(name)?.toReversed());
  const columns = { vals: history.vals.toReversed(), highs, lows, closes };
  const first = Math.max(0, history.dates.length - shown);
  const computed = technicals(columns, names, first);
  const reaching = barsReaching(history, coverage);
  const withheld = withholdUncovered(
    computed.columns,
    { last, first, round: computed.rowNumbers(last).round },
    reaching,
  );
  return {
    fields: computed.fields,
    hasWithheld: ({ start, end }) => (withheld[end] ?? 0) > (withheld[start] ?? 0),
    ofRow(place) {
      const { columns, row } = computed.rowNumbers(last - place);
      return { names: computed.fields, columns, row, round: asItIs };
    },
    newestAt: (place) => computed.indicatorsAt(place === undefined ? -1 : last - place),
  };
}

const asItIs = (value: number): number => value;

/**
 * Takes away the values whose bars are not all covered, and counts the rows that had any, newest first, as a running sum. A value
 * that is missing because the bars before the first stored one are not covered is one too, since with them there may be a value.
 */
function withholdUncovered(
  columns: IndicatorColumns,
  { last, first, round }: { readonly last: number; readonly first: number; readonly round: (value: number) => number },
  reaching: (place: number) => number,
): Int32Array {
  const rows = last - first + 1;
  const reached = new Float64Array(rows);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i += 1) {
    reached[i] = reaching(last - first - i);
    least = Math.min(least, reached[i] ?? 0);
  }
  const withheld = new Int32Array(rows + 1);
  for (const [field, needed] of Object.entries(BARS_NEEDED)) {
    const values = columns[field];
    if (!values || least >= needed) continue;
    for (let i = 0; i < values.length; i += 1) {
      if ((reached[i] ?? 0) >= needed) continue;
      values[i] = Number.NaN;
      withheld[rows - i] = 1;
    }
  }
  // Each value is shown on many pages: it is rounded once.
  for (const values of Object.values(columns))
    for (const [i, value] of values?.entries() ?? []) if (values) values[i] = round(value);
  for (let place = 1; place <= rows; place += 1) withheld[place] = (withheld[place] ?? 0) + (withheld[place - 1] ?? 0);
  return withheld;
}
