import { oneNumber, type TechnicalIndicator } from './indicator.ts';

/**
 * Donchian channel: highest high and lowest low of n bars, the present one included, and their middle. Warm-up: n bars.
 * Source: Richard Donchian's four-week rule, 1960s.
 */
export function donchianChannel(size: number): TechnicalIndicator {
  const [top, centre, bottom] = [`donchian_upper_${size}`, `donchian_middle_${size}`, `donchian_lower_${size}`];
  return {
    name: `donchian_${size}`,
    fields: { [top]: size, [centre]: size, [bottom]: size },
    members: { upper: top, middle: centre, lower: bottom },
    labels: ['upper', 'middle', 'lower'].map((part) => `Donchian ${part} (${size})`),
    drawn: 'over the price',
    compute({ highs, lows, firstShown }) {
      const upper = highest(highs, size, firstShown);
      const lower = lowest(lows, size, firstShown);
      const middle = upper.map((high, i) => (high + (lower[i] ?? 0)) / 2);
      return { [top]: upper, [centre]: middle, [bottom]: lower };
    },
  };
}

/** Values of %K in a %D. */
const SMOOTHED = 3;

/**
 * Fast stochastic: %K = 100 * (close - lowest low) / (highest high - lowest low) over n bars, %D the mean of three %K.
 * Warm-up: n and n + 2 bars. Flat market: %K 50. Source: George Lane, 1950s.
 */
export function stochastic(size: number): TechnicalIndicator {
  const [fast, slow] = [`stoch_k_${size}`, `stoch_d_${SMOOTHED}`];
  return {
    name: `stochastic_${size}_${SMOOTHED}`,
    fields: { [fast]: size, [slow]: size + SMOOTHED - 1 },
    members: { k: fast, d: slow },
    labels: [`%K (${size})`, `%D (${SMOOTHED})`],
    drawn: { name: `Stochastic ${size}, ${SMOOTHED}`, values: [fast, slow], rules: [20, 80], range: [0, 100] },
    compute({ highs, lows, closes, length, firstShown }) {
      const first = Math.max(0, firstShown - SMOOTHED + 1);
      const k = highest(highs, size, first);
      const bottoms = lowest(lows, size, first);
      const d = new Float64Array(length - firstShown);
      let [before, beforeThat] = [Number.NaN, Number.NaN];
      for (let i = first; i < length; i += 1) {
        const bottom = bottoms[i - first] ?? 0;
        const range = (k[i - first] ?? 0) - bottom;
        const now = range === 0 ? 50 : (100 * ((closes[i] ?? 0) - bottom)) / range;
        k[i - first] = now;
        if (i >= firstShown) d[i - firstShown] = (now + before + beforeThat) / SMOOTHED;
        beforeThat = before;
        before = now;
      }
      return { [fast]: k.subarray(firstShown - first), [slow]: d };
    },
  };
}

/**
 * Williams %R: -100 * (highest high - close) / (highest high - lowest low) over n bars (warm-up). Flat market: -50.
 * Source: Larry Williams, How I Made One Million Dollars Last Year Trading Commodities, 1973.
 */
export function williamsRange(size: number): TechnicalIndicator {
  const panel = { name: `Williams %R ${size}`, rules: [-80, -20], range: [-100, 0] } as const;
  return oneNumber(`williams_r_${size}`, size, panel, ({ highs, lows, closes, length, firstShown }) => {
    const out = highest(highs, size, firstShown);
    const bottoms = lowest(lows, size, firstShown);
    for (let i = firstShown; i < length; i += 1) {
      const top = out[i - firstShown] ?? 0;
      const range = top - (bottoms[i - firstShown] ?? 0);
      out[i - firstShown] = range === 0 ? -50 : (100 * ((closes[i] ?? 0) - top)) / range;
    }
    return out;
  });
}

/** Highest of the last `size` values, from the value `firstShown` on; NaN until the window is full. */
export function highest(values: Float64Array, size: number, firstShown: number): Float64Array {
  return extremes(values, size, { firstShown, sign: 1 });
}

/** Lowest of the last `size` values, from the value `firstShown` on; NaN until the window is full. */
export function lowest(values: Float64Array, size: number, firstShown: number): Float64Array {
  return extremes(values, size, { firstShown, sign: -1 });
}

/** Highest of the last `size` values in constant work a row (van Herk, Gil, Werman); with a sign of -1 the lowest. */
function extremes(values: Float64Array, size: number, { firstShown, sign }: { firstShown: number; sign: 1 | -1 }) {
  const out = new Float64Array(values.length - firstShown);
  const first = Math.max(0, firstShown - size + 1);
  // Before `slot` the values of this group; from there on the tails of the group before.
  const group = new Float64Array(size).fill(Number.NaN);
  let slot = 0;
  let head = Number.NEGATIVE_INFINITY;
  for (let i = first; i < values.length; i += 1) {
    const value = sign * (values[i] ?? 0);
    head = Math.max(head, value);
    group[slot] = value;
    slot += 1;
    const tail = slot === size ? head : Math.max(head, group[slot] ?? head);
    if (i >= firstShown) out[i - firstShown] = sign * tail;
    if (slot < size) continue;
    closeGroup(group);
    slot = 0;
    head = Number.NEGATIVE_INFINITY;
  }
  return out;
}

/** Makes each value of a complete group the highest from there to its end. */
function closeGroup(group: Float64Array): void {
  let tail = Number.NEGATIVE_INFINITY;
  for (let i = group.length - 1; i >= 0; i -= 1) {
    tail = Math.max(tail, group[i] ?? tail);
    group[i] = tail;
  }
}
