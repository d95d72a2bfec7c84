/** The technical indicator names of the specification, in its order. */
export const TECHNICAL_NAMES = [
  'adx_14',
  'atr_14',
  'bollinger_bands',
  'cci_20',
  'donchian_20',
  'ema_12',
  'ema_20',
  'ema_200',
  'ema_26',
  'ema_50',
  'macd',
  'macd_histogram',
  'macd_signal',
  'rsi_14',
  'sma_20',
  'sma_200',
  'sma_50',
  'stochastic_14_3',
  'williams_r_14',
] as const;

export type TechnicalName = (typeof TECHNICAL_NAMES)[number];
