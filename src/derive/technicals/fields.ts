/**
 * The row fields that carry technical indicators, in the order of the service's rows. See
 * docs/interface.md#technical-indicators.
 */
export const TECHNICAL_ROW_FIELDS = [
  'sma_20',
  'sma_50',
  'sma_200',
  'ema_12',
  'ema_20',
  'ema_26',
  'ema_50',
  'ema_200',
  'rsi_14',
  'atr_14',
  'adx_14',
  'stoch_k_14',
  'stoch_d_3',
  'williams_r_14',
  'cci_20',
  'donchian_upper_20',
  'donchian_middle_20',
  'donchian_lower_20',
  'macd',
  'macd_signal',
  'macd_histogram',
  'bb_upper',
  'bb_middle',
  'bb_lower',
] as const;

export type TechnicalField = (typeof TECHNICAL_ROW_FIELDS)[number];
