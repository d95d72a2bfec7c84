import type { Prices } from '../prices.ts';
import { highest, lowest } from './extremes.ts';

/**
 * Donchian channel: highest high and lowest low of the last n bars, the present one included, and the middle between them.
 *
 * Seeding: none. Warm-up: n bars. Source: Richard Donchian's four-week rule, 1960s.
 *
 * Gives upper, middle, lower.
 */
export function donchianChannel({ highs, lows, firstShown }: Prices, size: number): readonly Float64Array[] {
  const upper = highest(highs, size, firstShown);
  const lower = lowest(lows, size, firstShown);
  const middle = upper.map((top, i) => (top + (lower[i] ?? 0)) / 2);
  return [upper, middle, lower];
}
