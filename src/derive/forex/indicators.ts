import { TECHNICAL_NAMES } from '../../contract/words/technicals.ts';
import { type BarSource, type Technicals, technicals } from '../technicals/technicals.ts';
import type { RoutedPoint } from './routes.ts';
import type { RowTechnicals } from './rows.ts';

/** Technical indicators of an answer; rows are counted from the newest one up to `end_date`. */
export interface Indicators {
  ofRow(place: number): RowTechnicals;
  /** The top-level `indicators`; every name null when the window has no row. */
  newest(hasRows: boolean): ReturnType<Technicals['indicatorsAt']>;
}

/**
 * Technicals over the whole history up to `end_date`, given newest first, for so many of its newest rows. The window is cut afterwards, so it never
 * changes a value. Bars are those of a direct pair: a derived rate has none, because nobody observed it.
 */
export function computeIndicators(
  history: readonly RoutedPoint[],
  asked: readonly string[],
  shown: number,
): Indicators {
  const names = TECHNICAL_NAMES.filter((name) => asked.includes(name));
  if (names.length === 0) return { ofRow: () => ({}), newest: () => ({}) };
  const bars = barsOf(history);
  const last = bars.length - 1;
  const computed = technicals(bars, names, Math.max(0, bars.length - shown));
  return {
    ofRow: (place) => computed.rowTexts(last - place),
    newest: (hasRows) => computed.indicatorsAt(hasRows ? last : -1),
  };
}

/** The history, oldest first, as the indicators ask for it. */
function barsOf(history: readonly RoutedPoint[]): BarSource {
  const last = history.length - 1;
  const price = (row: number, name: 'high' | 'low' | 'close') => {
    const point = history[last - row];
    if (point?.path.method !== 'direct_original_pair') return null;
    const value = point.parts[0]?.row.columns[name];
    return typeof value === 'number' ? value : null;
  };
  return {
    length: history.length,
    val: (row) => history[last - row]?.rate,
    high: (row) => price(row, 'high'),
    low: (row) => price(row, 'low'),
    close: (row) => price(row, 'close'),
  };
}
