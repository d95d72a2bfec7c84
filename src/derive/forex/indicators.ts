import { TECHNICAL_NAMES } from '../../contract/words/technicals.ts';
import { type Bar, type Technicals, technicals } from '../technicals/technicals.ts';
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
  const bars = history.map((point) => barOf(path, point)).reverse();
  const computed = technicals(bars, names);
  const last = bars.length - 1;
  return {
    ofRow: (place) => computed.rowTexts(last - place),
    newest: (hasRows) => computed.indicatorsAt(hasRows ? last : -1),
  };
}

function barOf(path: Path, point: RatedPoint): Bar {
  const { rate: val, parts } = point;
  const [part] = parts;
  if (path.method !== 'direct_original_pair' || !part) return { val };
  const { open, high, low, close } = part.row.columns;
  return { val, open: price(open), high: price(high), low: price(low), close: price(close) };
}

function price(value: string | number | null | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
