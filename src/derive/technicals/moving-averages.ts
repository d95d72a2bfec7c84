import type { ChartPanel } from '../../contract/endpoint.ts';
import { exponentialSmoothing, rollingMeans, seededAverage } from './averages.ts';
import { EVERY_BAR, oneNumber, type Prices, type TechnicalIndicator } from './indicator.ts';

/** Simple moving average: the mean of the last n closes. Warm-up: n bars. Source: common to all textbooks. */
export function simpleAverage(size: number): TechnicalIndicator {
  return oneNumber(`sma_${size}`, size, 'over the price', ({ closes, firstShown }) =>
    rollingMeans(closes, size, firstShown),
  );
}

/**
 * Exponential moving average: average + (close - average) * 2 / (n + 1), seeded with the mean of the first n closes
 * (warm-up). Source: Gerald Appel; seeded as in the worksheets of StockCharts ChartSchool.
 */
export function exponentialAverage(size: number): TechnicalIndicator {
  return oneNumber(`ema_${size}`, EVERY_BAR, 'over the price', ({ closes, firstShown }) =>
    seededAverage(closes, exponentialSmoothing(size)).subarray(firstShown),
  );
}

const SHORT = exponentialSmoothing(12);
const LONG = exponentialSmoothing(26);
const SIGNAL = exponentialSmoothing(9);

const MACD_PANEL: ChartPanel = {
  name: 'MACD 12, 26, 9',
  values: ['macd_histogram', 'macd', 'macd_signal'],
  bars: ['macd_histogram'],
  rules: [0],
};

/**
 * Exponential average of 12 days less that of 26; its 9-day average (signal, seeded with the mean of its first
 * differences); their difference. Warm-up: 26 and 34 bars. Flat market: 0. Source: Gerald Appel, 1970s. `macd` adds one
 * line to the rows and shows all three beside them.
 */
export const MACD: readonly TechnicalIndicator[] = [
  {
    name: 'macd',
    fields: { macd: EVERY_BAR },
    labels: ['MACD'],
    members: { macd: 'macd', signal: 'macd_signal', histogram: 'macd_histogram' },
    drawn: MACD_PANEL,
    compute: macdLines,
  },
  {
    name: 'macd_signal',
    fields: { macd_signal: EVERY_BAR },
    labels: ['signal'],
    drawn: MACD_PANEL,
    compute: macdLines,
  },
  {
    name: 'macd_histogram',
    fields: { macd_histogram: EVERY_BAR },
    labels: ['histogram'],
    drawn: MACD_PANEL,
    compute: macdLines,
  },
];

function macdLines({ closes, length, firstShown }: Prices): Readonly<Record<string, Float64Array>> {
  const line = seededAverage(closes, SHORT);
  const long = seededAverage(closes, LONG);
  for (let i = 0; i < length; i += 1) line[i] = (line[i] ?? 0) - (long[i] ?? 0);
  const signal = seededAverage(line, SIGNAL, long);
  const histogram = new Float64Array(length - firstShown);
  for (let i = firstShown; i < length; i += 1) histogram[i - firstShown] = (line[i] ?? 0) - (signal[i] ?? 0);
  return { macd: line.subarray(firstShown), macd_signal: signal.subarray(firstShown), macd_histogram: histogram };
}
