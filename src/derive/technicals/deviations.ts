import { rollingMeans } from './averages.ts';
import { oneNumber, type TechnicalIndicator } from './indicator.ts';

/**
 * Bollinger bands: the mean of n closes and so many of their population deviations (by n, not n - 1). Warm-up: n bars.
 * Source: John Bollinger, Bollinger on Bollinger Bands, 2001.
 */
export function bollingerBands(size: number, width: number): TechnicalIndicator {
  return {
    name: 'bollinger_bands',
    fields: { bb_upper: size, bb_middle: size, bb_lower: size },
    members: { upper: 'bb_upper', middle: 'bb_middle', lower: 'bb_lower' },
    labels: ['upper', 'middle', 'lower'].map((part) => `Bollinger ${part} (${size}, ${width})`),
    drawn: 'over the price',
    compute({ closes, length, firstShown }) {
      const middle = rollingMeans(closes, size, firstShown);
      const upper = new Float64Array(length - firstShown);
      const lower = new Float64Array(length - firstShown);
      for (let i = firstShown; i < length; i += 1) {
        const mean = middle[i - firstShown] ?? 0;
        // A running sum of squares would lose the digits that matter where the price is large against its movement.
        let squares = 0;
        for (let at = i - size + 1; at <= i; at += 1) squares += ((closes[at] ?? 0) - mean) ** 2;
        const distance = width * Math.sqrt(squares / size);
        upper[i - firstShown] = mean + distance;
        lower[i - firstShown] = mean - distance;
      }
      return { bb_upper: upper, bb_middle: middle, bb_lower: lower };
    },
  };
}

/** Lambert's constant: it puts most values between -100 and 100. */
const SCALE = 0.015;

/**
 * Commodity channel index: (typical price - mean) / (0.015 * mean deviation), typical price (high + low + close) / 3,
 * over n bars (warm-up). Flat market: 0. Source: Donald Lambert, Commodity Channel Index: Tool for Trading Cyclic
 * Trends, Commodities, October 1980.
 */
export function commodityChannel(size: number): TechnicalIndicator {
  const panel = { name: `CCI ${size}`, rules: [-100, 100] };
  return oneNumber(`cci_${size}`, size, panel, ({ highs, lows, closes, length, firstShown }) => {
    const first = Math.max(0, firstShown - size + 1);
    const typical = new Float64Array(length);
    for (let i = first; i < length; i += 1) typical[i] = ((highs[i] ?? 0) + (lows[i] ?? 0) + (closes[i] ?? 0)) / 3;
    const out = rollingMeans(typical, size, firstShown);
    let previous = Number.NaN;
    let run = 0;
    for (let i = first; i < length; i += 1) {
      const price = typical[i] ?? 0;
      run = price === previous ? run + 1 : 1;
      previous = price;
      if (i < firstShown) continue;
      const mean = out[i - firstShown] ?? 0;
      // The mean of equal values may miss them by one bit, and this quotient would make 67 of that.
      out[i - firstShown] = run >= size ? 0 : (price - mean) / (SCALE * deviation(typical, mean, { last: i, size }));
    }
    return out;
  });
}

function deviation(typical: Float64Array, mean: number, { last, size }: { last: number; size: number }): number {
  let distance = 0;
  for (let at = last - size + 1; at <= last; at += 1) distance += Math.abs((typical[at] ?? 0) - mean);
  return distance / size;
}
