import { AverageDirectionalIndex } from './adx.ts';
import { AverageTrueRange } from './atr.ts';
import type { Block, Unit } from './block.ts';
import { BollingerBands } from './bollinger.ts';
import { CommodityChannel } from './cci.ts';
import { DonchianChannel } from './donchian.ts';
import { ExponentialAverage } from './ema.ts';
import type { TechnicalField } from './fields.ts';
import { Macd } from './macd.ts';
import { RelativeStrength } from './rsi.ts';
import { SimpleAverage } from './sma.ts';
import { Stochastic } from './stochastic.ts';
import { WilliamsRange } from './williams.ts';

/** One number a row for every field that is computed; NaN where there is none. */
export type Columns = Readonly<Partial<Record<TechnicalField, Float64Array>>>;

/** Takes the bars of a block, oldest first, and writes what follows from each of them at its row. */
export type Step = (block: Block) => void;

/** Fields in the order of the unit's outputs. */
type Family = readonly [fields: readonly TechnicalField[], create: () => Unit];

const FAMILIES: readonly Family[] = [
  [['sma_20'], () => new SimpleAverage(20)],
  [['sma_50'], () => new SimpleAverage(50)],
  [['sma_200'], () => new SimpleAverage(200)],
  [['ema_12'], () => new ExponentialAverage(12)],
  [['ema_20'], () => new ExponentialAverage(20)],
  [['ema_26'], () => new ExponentialAverage(26)],
  [['ema_50'], () => new ExponentialAverage(50)],
  [['ema_200'], () => new ExponentialAverage(200)],
  [['rsi_14'], () => new RelativeStrength(14)],
  [['atr_14'], () => new AverageTrueRange(14)],
  [['adx_14'], () => new AverageDirectionalIndex(14)],
  [['stoch_k_14', 'stoch_d_3'], () => new Stochastic(14)],
  [['williams_r_14'], () => new WilliamsRange(14)],
  [['cci_20'], () => new CommodityChannel(20)],
  [['donchian_upper_20', 'donchian_middle_20', 'donchian_lower_20'], () => new DonchianChannel(20)],
  [['macd', 'macd_signal', 'macd_histogram'], () => new Macd(12, 26, 9)],
  [['bb_upper', 'bb_middle', 'bb_lower'], () => new BollingerBands(20, 2)],
];

/** The families whose fields are among the columns, each ready for the first block. */
export function startSteps(columns: Columns): readonly Step[] {
  const needed = FAMILIES.filter(([fields]) => fields.some((field) => columns[field]));
  return needed.map(([fields, create]) => {
    const unit = create();
    return (block) => {
      unit.take(block);
      for (const [i, field] of fields.entries()) writeColumn(columns[field], block, unit.outputs[i]);
    };
  });
}

function writeColumn(
  column: Float64Array | undefined,
  { rows, length, wanted }: Block,
  output: Float64Array | undefined,
): void {
  if (!column || !output || wanted >= length) return;
  const first = rows[wanted] ?? 0;
  // Rows without a gap between them are copied in one go.
  if ((rows[length - 1] ?? 0) - first === length - 1 - wanted) {
    column.set(output.subarray(wanted, length), first);
    return;
  }
  for (let i = wanted; i < length; i += 1) column[rows[i] ?? 0] = output[i] ?? Number.NaN;
}
