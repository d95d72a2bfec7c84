import type { TechnicalName } from '../../contract/words/technicals.ts';
import type { TechnicalField } from './fields.ts';

/** What one indicator name adds to an answer. */
export interface TechnicalGroup {
  /** Fields of every row. */
  readonly row: readonly TechnicalField[];
  /** Its member of the top-level `indicators`: one number, or an object of several. */
  readonly top: TechnicalField | Readonly<Record<string, TechnicalField>>;
}

const scalar = <const F extends TechnicalField>(field: F): TechnicalGroup => ({ row: [field], top: field });

/**
 * Names of the specification and the fields they stand for. The three lines of MACD have names of their own, so `macd` adds
 * only its own line to the rows, while its top-level object shows all three.
 */
export const TECHNICAL_FACES: Readonly<Record<TechnicalName, TechnicalGroup>> = {
  adx_14: scalar('adx_14'),
  atr_14: scalar('atr_14'),
  bollinger_bands: {
    row: ['bb_upper', 'bb_middle', 'bb_lower'],
    top: { upper: 'bb_upper', middle: 'bb_middle', lower: 'bb_lower' },
  },
  cci_20: scalar('cci_20'),
  donchian_20: {
    row: ['donchian_upper_20', 'donchian_middle_20', 'donchian_lower_20'],
    top: { upper: 'donchian_upper_20', middle: 'donchian_middle_20', lower: 'donchian_lower_20' },
  },
  ema_12: scalar('ema_12'),
  ema_20: scalar('ema_20'),
  ema_200: scalar('ema_200'),
  ema_26: scalar('ema_26'),
  ema_50: scalar('ema_50'),
  macd: { row: ['macd'], top: { macd: 'macd', signal: 'macd_signal', histogram: 'macd_histogram' } },
  macd_histogram: scalar('macd_histogram'),
  macd_signal: scalar('macd_signal'),
  rsi_14: scalar('rsi_14'),
  sma_20: scalar('sma_20'),
  sma_200: scalar('sma_200'),
  sma_50: scalar('sma_50'),
  stochastic_14_3: { row: ['stoch_k_14', 'stoch_d_3'], top: { k: 'stoch_k_14', d: 'stoch_d_3' } },
  williams_r_14: scalar('williams_r_14'),
};
