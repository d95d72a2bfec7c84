import { seededAverage, wilderSmoothing } from './averages.ts';
import { EVERY_BAR, oneNumber, type Prices, type TechnicalIndicator } from './indicator.ts';

// Source of all three: J. Welles Wilder, New Concepts in Technical Trading Systems, 1978.

/**
 * Relative strength index: 100 * gain / (gain + loss), Wilder averages of rises and falls of the close, seeded with the
 * mean of the first n changes. No division by a loss of zero. Warm-up: n + 1 bars. Flat market: 50.
 */
export function relativeStrength(size: number): TechnicalIndicator {
  const panel = { name: `RSI ${size}`, rules: [30, 70], range: [0, 100] } as const;
  return oneNumber(`rsi_${size}`, EVERY_BAR, panel, ({ closes, length, firstShown }) => {
    const gains = new Float64Array(length);
    const losses = new Float64Array(length);
    // The first bar has no change.
    gains.fill(Number.NaN, 0, 1);
    losses.fill(Number.NaN, 0, 1);
    for (let i = 1; i < length; i += 1) {
      const change = (closes[i] ?? 0) - (closes[i - 1] ?? 0);
      if (change > 0) gains[i] = change;
      else losses[i] = 0 - change;
    }
    seededAverage(gains, wilderSmoothing(size), gains);
    seededAverage(losses, wilderSmoothing(size), losses);
    const out = gains.subarray(firstShown);
    for (let i = firstShown; i < length; i += 1) {
      const gain = gains[i] ?? 0;
      const both = gain + (losses[i] ?? 0);
      out[i - firstShown] = both === 0 ? 50 : (100 * gain) / both;
    }
    return out;
  });
}

/**
 * Average true range: Wilder average of the greatest of high - low, |high - previous close| and |low - previous close|.
 * Its seed is the mean of the first n; the first of these is high - low. Warm-up: n bars. Flat market: 0.
 */
export function averageTrueRange(size: number): TechnicalIndicator {
  return oneNumber(`atr_${size}`, EVERY_BAR, { name: `ATR ${size}` }, ({ highs, lows, closes, length, firstShown }) => {
    const ranges = new Float64Array(length);
    for (let i = 0; i < length; i += 1) {
      const high = highs[i] ?? 0;
      const low = lows[i] ?? 0;
      // Without a previous close the day counts as opened at its low, which leaves high - low.
      const previous = closes[i - 1] ?? low;
      const up = high > previous ? high - previous : previous - high;
      const down = low > previous ? low - previous : previous - low;
      const reach = up > down ? up : down;
      ranges[i] = high - low > reach ? high - low : reach;
    }
    return seededAverage(ranges, wilderSmoothing(size), ranges).subarray(firstShown);
  });
}

/**
 * Average directional index: Wilder average of DX = 100 * |+DI - -DI| / (+DI + -DI). A movement is the larger of the
 * high's rise and the low's fall, neither when equal; the true range cancels out. Seeds are means of n movements and of
 * n DX. Warm-up: 2n bars. Flat market: 0.
 */
export function averageDirectionalIndex(size: number): TechnicalIndicator {
  return oneNumber(`adx_${size}`, EVERY_BAR, { name: `ADX ${size}`, rules: [25] }, (prices) => {
    const { length, firstShown } = prices;
    const smoothing = wilderSmoothing(size);
    const { rises, falls } = movements(prices);
    seededAverage(rises, smoothing, rises);
    seededAverage(falls, smoothing, falls);
    for (let i = 0; i < length; i += 1) {
      const plus = rises[i] ?? 0;
      const minus = falls[i] ?? 0;
      rises[i] = plus + minus === 0 ? 0 : (100 * Math.abs(plus - minus)) / (plus + minus);
    }
    return seededAverage(rises, smoothing, rises).subarray(firstShown);
  });
}

/** The directional movements; NaN on the first bar, which has none. */
function movements({ highs, lows, length }: Prices): { rises: Float64Array; falls: Float64Array } {
  const rises = new Float64Array(length);
  const falls = new Float64Array(length);
  let [highBefore, lowBefore] = [Number.NaN, Number.NaN];
  for (let i = 0; i < length; i += 1) {
    const high = highs[i] ?? 0;
    const low = lows[i] ?? 0;
    const rise = high - highBefore;
    const fall = lowBefore - low;
    const nothing = Number.isNaN(rise) ? rise : 0;
    rises[i] = rise > fall && rise > 0 ? rise : nothing;
    falls[i] = fall > rise && fall > 0 ? fall : nothing;
    highBefore = high;
    lowBefore = low;
  }
  return { rises, falls };
}
