import type { Prices } from '../prices.ts';
import { highest, lowest } from './extremes.ts';

/**
 * Williams %R: -100 * (highest high - close) / (highest high - lowest low) over n bars.
 *
 * Seeding: none. Warm-up: n bars. Flat market: -50.
 * Source: Larry Williams, How I Made One Million Dollars Last Year Trading Commodities, 1973.
 */
export function williamsRange({ highs, lows, closes, length, firstShown }: Prices, size: number): Float64Array {
  const out = highest(highs, size, firstShown);
  const bottoms = lowest(lows, size, firstShown);
  for (let i = firstShown; i < length; i += 1) {
    const top = out[i - firstShown] ?? 0;
    const range = top - (bottoms[i - firstShown] ?? 0);
    out[i - firstShown] = range === 0 ? -50 : (100 * ((closes[i] ?? 0) - top)) / range;
  }
  return out;
}
