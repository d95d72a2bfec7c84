import { TECHNICAL_NAMES } from '../../contract/words/technicals.ts';
import { type Technicals, technicals } from '../technicals/technicals.ts';
import type { Rates } from './routes.ts';
import type { RowTechnicals } from './rows.ts';

/** Technical indicators of an answer; rows are counted from the newest one up to `end_date`. */
export interface Indicators {
  ofRow(place: number): RowTechnicals;
  /** The top-level `indicators`; every name null when the window has no row. */
  newest(hasRows: boolean): ReturnType<Technicals['indicatorsAt']>;
}

/** Columns that the indicators read of a row beside its value. */
export const BAR_PRICES = ['high', 'low', 'close'] as const;

/**
 * Technicals over the whole history up to `end_date`, given newest first, for so many of its newest rows. The window is cut
 * afterwards, so it never changes a value.
 */
export function computeIndicators(history: Rates, asked: readonly string[], shown: number): Indicators {
  const names = TECHNICAL_NAMES.filter((name) => asked.includes(name));
  if (names.length === 0) return { ofRow: () => ({}), newest: () => ({}) };
  const last = history.dates.length - 1;
  const [highs, lows, closes] = BAR_PRICES.map((name) => history.prices(name)?.toReversed());
  const columns = { vals: history.vals.toReversed(), highs, lows, closes };
  const computed = technicals(columns, names, Math.max(0, history.dates.length - shown));
  return {
    ofRow: (place) => computed.rowTexts(last - place),
    newest: (hasRows) => computed.indicatorsAt(hasRows ? last : -1),
  };
}
