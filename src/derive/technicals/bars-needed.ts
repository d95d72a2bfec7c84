import type { TechnicalField } from './fields.ts';

/** Of a recurrence, which remembers every bar of the series. */
const ALL = Number.POSITIVE_INFINITY;

/** Newest bars that a value rests on, its own among them: without one of them it is another number. */
export const BARS_NEEDED: Readonly<Record<TechnicalField, number>> = {
  sma_20: 20,
  sma_50: 50,
  sma_200: 200,
  ema_12: ALL,
  ema_20: ALL,
  ema_26: ALL,
  ema_50: ALL,
  ema_200: ALL,
  rsi_14: ALL,
  atr_14: ALL,
  adx_14: ALL,
  stoch_k_14: 14,
  // The mean of three %K.
  stoch_d_3: 16,
  williams_r_14: 14,
  cci_20: 20,
  donchian_upper_20: 20,
  donchian_middle_20: 20,
  donchian_lower_20: 20,
  macd: ALL,
  macd_signal: ALL,
  macd_histogram: ALL,
  bb_upper: 20,
  bb_middle: 20,
  bb_lower: 20,
};
