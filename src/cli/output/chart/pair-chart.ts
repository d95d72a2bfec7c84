/** How the technical indicators of a pair are drawn: averages and bands over the price, oscillators in panels under it. */
import type { ChartFields, ChartPanel } from '../../../contract/chart-fields.ts';
import type { Args } from '../../../contract/params/params.ts';

const OVERLAYS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['sma_20', 'sma_50', 'sma_200', 'ema_12', 'ema_20', 'ema_26', 'ema_50', 'ema_200'].map((name) => [name, [name]]),
  ),
  bollinger_bands: ['bb_upper', 'bb_middle', 'bb_lower'],
  donchian_20: ['donchian_upper_20', 'donchian_middle_20', 'donchian_lower_20'],
};

const MACD: ChartPanel = {
  name: 'MACD 12, 26, 9',
  values: ['macd_histogram', 'macd', 'macd_signal'],
  bars: ['macd_histogram'],
  rules: [0],
};

const PANELS: Readonly<Record<string, ChartPanel>> = {
  rsi_14: { name: 'RSI 14', values: ['rsi_14'], rules: [30, 70], range: [0, 100] },
  macd: MACD,
  macd_signal: MACD,
  macd_histogram: MACD,
  stochastic_14_3: {
    name: 'Stochastic 14, 3',
    values: ['stoch_k_14', 'stoch_d_3'],
    rules: [20, 80],
    range: [0, 100],
  },
  williams_r_14: { name: 'Williams %R 14', values: ['williams_r_14'], rules: [-80, -20], range: [-100, 0] },
  cci_20: { name: 'CCI 20', values: ['cci_20'], rules: [-100, 100] },
  adx_14: { name: 'ADX 14', values: ['adx_14'], rules: [25] },
  atr_14: { name: 'ATR 14', values: ['atr_14'] },
};

/** Of all nineteen these stay legible together. */
const OF_ALL = ['sma_50', 'sma_200', 'bollinger_bands', 'rsi_14', 'macd', 'stochastic_14_3'];

/** What is drawn of a pair for the indicators that were asked for. */
export function pairChart({ base, quote, indicators }: Args): ChartFields {
  const names = Array.isArray(indicators) ? indicators.map(String) : [];
  const known = new Set([...Object.keys(OVERLAYS), ...Object.keys(PANELS)]);
  const isAll = [...known].every((name) => names.includes(name)) || names.includes('all');
  const drawn = isAll ? OF_ALL : names;
  const panels = new Set(drawn.flatMap((name) => PANELS[name] ?? []));
  return {
    at: 'date',
    panels: [
      { unit: `${quote} for one ${base}`, values: ['val', ...drawn.flatMap((name) => OVERLAYS[name] ?? [])] },
      ...panels,
    ],
    ...(isAll && { notDrawn: [`Drawn of all indicators: ${OF_ALL.join(', ')}; --indicators names others.`] }),
  };
}
