import { TECHNICAL_NAMES } from '../../contract/words/technicals.ts';
import { type BarSource, type Technicals, technicals } from '../technicals/technicals.ts';
import type { Path } from './paths.ts';
import type { RatedPoint } from './rates.ts';
import type { RowTechnicals } from './rows.ts';

/** Technical indicators of an answer; rows are counted from the newest one up to `end_date`. */
export interface Indicators {
  ofRow(place: number): RowTechnicals;
  /** The top-level `indicators`; every name null when the window has no row. */
  newest(hasRows: boolean): ReturnType<Technicals['indicatorsAt']>;
}

/**
 * Technicals over the whole history up to `end_date`, given newest first. The window is cut afterwards, so it never
 * changes a value. Bars are those of a direct pair: a derived rate has none, because nobody observed it.
 */
export function computeIndicators(path: Path, history: readonly RatedPoint[], asked: readonly string[]): Indicators {
  const names = TECHNICAL_NAMES.filter((name) => asked.includes(name));
  if (names.length === 0) return { ofRow: () => ({}), newest: () => ({}) };
  const bars = barsOf(path, history);
  const computed = technicals(bars, names);
  const last = bars.length - 1;
  return {
    ofRow: (place) => computed.rowTexts(last - place),
    newest: (hasRows) => computed.indicatorsAt(hasRows ? last : -1),
  };
}

/** The history, oldest first, as the indicators ask for it. */
function barsOf(path: Path, history: readonly RatedPoint[]): BarSource {
  const last = history.length - 1;
  const price = (row: number, name: 'high' | 'low' | 'close') => {
    const value = history[last - row]?.parts[0]?.row.columns[name];
    return typeof value === 'number' ? value : null;
  };
  const isDirect = path.method === 'direct_original_pair';
  return {
    length: history.length,
    val: (row) => history[last - row]?.rate,
    high: (row) => (isDirect ? price(row, 'high') : null),
    low: (row) => (isDirect ? price(row, 'low') : null),
    close: (row) => (isDirect ? price(row, 'close') : null),
  };
}
