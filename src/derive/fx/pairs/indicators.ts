import type { Coverage } from '../../../contract/time/coverage.ts';
import { BARS_NEEDED, TECHNICAL_NAMES } from '../../technicals/table.ts';
import { type IndicatorColumns, type Technicals, technicals } from '../../technicals/technicals.ts';
import { barsReaching } from './coverage.ts';
import type { Rates } from './fx-route.ts';
import { NO_TECHNICALS, type RowTechnicals } from './rows.ts';

/** How many of the newest rows are shown, and what is covered of the history. */
export interface Look {
  readonly shown: number;
  readonly coverage: Coverage;
}

/** Technical indicators of an answer; rows are counted from the newest one up to `end_date`. */
export interface Indicators {
  /** Those that every row has. */
  readonly fields: readonly string[];
  ofRow(place: number): RowTechnicals;
  /** The newest row of which a value is null because a bar that it rests on is not covered; infinity where there is none. */
  readonly withheldFrom: number;
  /** The top-level `indicators`; every name null when the window has no row. */
  newest(hasRows: boolean): ReturnType<Technicals['indicatorsAt']>;
}

/** Columns that the indicators read of a row beside its value. */
export const BAR_PRICES = ['high', 'low', 'close'] as const;

/**
 * Technicals over the whole history up to `end_date`, given newest first, for so many of its newest rows. The window is cut
 * afterwards, so it never changes a value.
 */
export function computeIndicators(history: Rates, requested: readonly string[], look: Look): Indicators {
  const names = TECHNICAL_NAMES.filter((name) => requested.includes(name));
  if (names.length === 0)
    return {
      fields: NO_TECHNICALS.names,
      ofRow: () => NO_TECHNICALS,
      newest: () => ({}),
      withheldFrom: Number.POSITIVE_INFINITY,
    };
  const { shown, coverage } = look;
  const last = history.dates.length - 1;
  const [highs, lows, closes] = BAR_PRICES.map((name) => history.prices(name)?.toReversed());
  const columns = { vals: history.vals.toReversed(), highs, lows, closes };
  const first = Math.max(0, history.dates.length - shown);
  const computed = technicals(columns, names, first);
  const withheldFrom = withholdUncovered(computed.columns, { last, first }, barsReaching(history, coverage));
  return {
    fields: computed.fields,
    withheldFrom,
    ofRow(place) {
      const { columns, row, round } = computed.rowNumbers(last - place);
      return { names: computed.fields, columns, row, round };
    },
    newest: (hasRows) => computed.indicatorsAt(hasRows ? last : -1),
  };
}

/**
 * Takes away the values whose bars are not all covered. Tells the newest row that had any: a value that is missing because the bars
 * before the first stored one are not covered is one too, since with them there may be a value.
 */
function withholdUncovered(
  columns: IndicatorColumns,
  { last, first }: { readonly last: number; readonly first: number },
  reaching: (place: number) => number,
): number {
  let newest = Number.POSITIVE_INFINITY;
  const reached = new Float64Array(last - first + 1);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < reached.length; i += 1) {
    reached[i] = reaching(last - first - i);
    least = Math.min(least, reached[i] ?? 0);
  }
  for (const [field, needed] of Object.entries(BARS_NEEDED)) {
    const values = columns[field];
    if (!values || least >= needed) continue;
    for (let i = 0; i < values.length; i += 1) {
      if ((reached[i] ?? 0) >= needed) continue;
      values[i] = Number.NaN;
      newest = Math.min(newest, last - first - i);
    }
  }
  return newest;
}
