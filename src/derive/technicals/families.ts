import { averageDirectionalIndex } from './families/adx.ts';
import { averageTrueRange } from './families/atr.ts';
import { bollingerBands } from './families/bollinger.ts';
import { commodityChannel } from './families/cci.ts';
import { donchianChannel } from './families/donchian.ts';
import { exponentialAverage } from './families/ema.ts';
import { macd } from './families/macd.ts';
import { relativeStrength } from './families/rsi.ts';
import { simpleAverage } from './families/sma.ts';
import { stochastic } from './families/stochastic.ts';
import { williamsRange } from './families/williams.ts';
import type { TechnicalField } from './fields.ts';
import type { Prices } from './prices.ts';

/** Fields that are worked out together, and how: one array a field, in their order. */
type Family = readonly [fields: readonly TechnicalField[], compute: (prices: Prices) => readonly Float64Array[]];

const single = (field: TechnicalField, compute: (prices: Prices) => Float64Array): Family => [
  [field],
  (prices) => [compute(prices)],
];

const FAMILIES: readonly Family[] = [
  single('sma_20', (prices) => simpleAverage(prices, 20)),
  single('sma_50', (prices) => simpleAverage(prices, 50)),
  single('sma_200', (prices) => simpleAverage(prices, 200)),
  single('ema_12', (prices) => exponentialAverage(prices, 12)),
  single('ema_20', (prices) => exponentialAverage(prices, 20)),
  single('ema_26', (prices) => exponentialAverage(prices, 26)),
  single('ema_50', (prices) => exponentialAverage(prices, 50)),
  single('ema_200', (prices) => exponentialAverage(prices, 200)),
  single('rsi_14', (prices) => relativeStrength(prices, 14)),
  single('atr_14', (prices) => averageTrueRange(prices, 14)),
  single('adx_14', (prices) => averageDirectionalIndex(prices, 14)),
  [['stoch_k_14', 'stoch_d_3'], (prices) => stochastic(prices, 14)],
  single('williams_r_14', (prices) => williamsRange(prices, 14)),
  single('cci_20', (prices) => commodityChannel(prices, 20)),
  [['donchian_upper_20', 'donchian_middle_20', 'donchian_lower_20'], (prices) => donchianChannel(prices, 20)],
  [['macd', 'macd_signal', 'macd_histogram'], (prices) => macd(prices, { short: 12, long: 26, signal: 9 })],
  [['bb_upper', 'bb_middle', 'bb_lower'], (prices) => bollingerBands(prices, 20, 2)],
];

/** The fields, each with one number a bar from the first wanted one on. */
export function computeFields(
  prices: Prices,
  chosen: ReadonlySet<TechnicalField>,
): ReadonlyMap<TechnicalField, Float64Array> {
  const computed = new Map<TechnicalField, Float64Array>();
  for (const [fields, compute] of FAMILIES) {
    if (!fields.some((field) => chosen.has(field))) continue;
    const columns = compute(prices);
    for (const [i, field] of fields.entries())
      if (chosen.has(field)) computed.set(field, columns[i] ?? new Float64Array());
  }
  return computed;
}
