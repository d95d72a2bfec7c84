import { AverageDirectionalIndex } from './adx.ts';
import { AverageTrueRange } from './atr.ts';
import type { Block } from './block.ts';
import { BollingerBands } from './bollinger.ts';
import { CommodityChannel } from './cci.ts';
import { DonchianChannel } from './donchian.ts';
import { exponentialAverage } from './ema.ts';
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

interface Family {
  readonly fields: readonly TechnicalField[];
  start(columns: Columns): Step;
}

/** The families whose fields are among the columns, each ready for the first bar. */
export function startSteps(columns: Columns): readonly Step[] {
  return FAMILIES.filter(({ fields }) => fields.some((field) => columns[field])).map((one) => one.start(columns));
}

const FAMILIES: readonly Family[] = [
  ofClose('sma_20', () => new SimpleAverage(20)),
  ofClose('sma_50', () => new SimpleAverage(50)),
  ofClose('sma_200', () => new SimpleAverage(200)),
  ofClose('ema_12', () => exponentialAverage(12)),
  ofClose('ema_20', () => exponentialAverage(20)),
  ofClose('ema_26', () => exponentialAverage(26)),
  ofClose('ema_50', () => exponentialAverage(50)),
  ofClose('ema_200', () => exponentialAverage(200)),
  ofClose('rsi_14', () => new RelativeStrength(14)),
  ofBar('atr_14', () => new AverageTrueRange(14)),
  ofBar('adx_14', () => new AverageDirectionalIndex(14)),
  { fields: ['stoch_k_14', 'stoch_d_3'], start: startStochastic },
  ofBar('williams_r_14', () => new WilliamsRange(14)),
  ofBar('cci_20', () => new CommodityChannel(20)),
  { fields: ['donchian_upper_20', 'donchian_middle_20', 'donchian_lower_20'], start: startDonchian },
  { fields: ['macd', 'macd_signal', 'macd_histogram'], start: startMacd },
  { fields: ['bb_upper', 'bb_middle', 'bb_lower'], start: startBollinger },
];

function ofClose(field: TechnicalField, create: () => { next(close: number): number }): Family {
  return {
    fields: [field],
    start(columns) {
      const indicator = create();
      const column = columns[field];
      return ({ length, rows, closes }) => {
        for (let i = 0; i < length; i += 1) put(column, rows[i], indicator.next(closes[i] ?? 0));
      };
    },
  };
}

function ofBar(
  field: TechnicalField,
  create: () => { next(high: number, low: number, close: number): number },
): Family {
  return {
    fields: [field],
    start(columns) {
      const indicator = create();
      const column = columns[field];
      return ({ length, rows, highs, lows, closes }) => {
        for (let i = 0; i < length; i += 1)
          put(column, rows[i], indicator.next(highs[i] ?? 0, lows[i] ?? 0, closes[i] ?? 0));
      };
    },
  };
}

function startStochastic({ stoch_k_14: k, stoch_d_3: d }: Columns): Step {
  const stochastic = new Stochastic(14, 3);
  return ({ length, rows, highs, lows, closes }) => {
    for (let i = 0; i < length; i += 1) {
      stochastic.next(highs[i] ?? 0, lows[i] ?? 0, closes[i] ?? 0);
      put(k, rows[i], stochastic.k);
      put(d, rows[i], stochastic.d);
    }
  };
}

function startDonchian(columns: Columns): Step {
  const { donchian_upper_20: upper, donchian_middle_20: middle, donchian_lower_20: lower } = columns;
  const channel = new DonchianChannel(20);
  return ({ length, rows, highs, lows }) => {
    for (let i = 0; i < length; i += 1) {
      channel.next(highs[i] ?? 0, lows[i] ?? 0);
      put(upper, rows[i], channel.upper);
      put(middle, rows[i], channel.middle);
      put(lower, rows[i], channel.lower);
    }
  };
}

function startMacd({ macd, macd_signal: signal, macd_histogram: histogram }: Columns): Step {
  const lines = new Macd(12, 26, 9);
  return ({ length, rows, closes }) => {
    for (let i = 0; i < length; i += 1) {
      lines.next(closes[i] ?? 0);
      put(macd, rows[i], lines.macd);
      put(signal, rows[i], lines.signal);
      put(histogram, rows[i], lines.histogram);
    }
  };
}

function startBollinger({ bb_upper: upper, bb_middle: middle, bb_lower: lower }: Columns): Step {
  const bands = new BollingerBands(20, 2);
  return ({ length, rows, closes }) => {
    for (let i = 0; i < length; i += 1) {
      bands.next(closes[i] ?? 0);
      put(upper, rows[i], bands.upper);
      put(middle, rows[i], bands.middle);
      put(lower, rows[i], bands.lower);
    }
  };
}

function put(column: Float64Array | undefined, row: number | undefined, value: number): void {
  if (column && row !== undefined) column[row] = value;
}
