import type { ChartFields } from '../../contract/endpoint.ts';
import { bollingerBands, commodityChannel } from './deviations.ts';
import type { TechnicalIndicator } from './indicator.ts';
import { exponentialAverage, MACD, simpleAverage } from './moving-averages.ts';
import { donchianChannel, stochastic, williamsRange } from './ranges.ts';
import { averageDirectionalIndex, averageTrueRange, relativeStrength } from './wilder.ts';

/** Every indicator, in the order of its fields in a row. All that knows of indicators follows from these lines. */
export const INDICATOR_TABLE: readonly TechnicalIndicator[] = [
  simpleAverage(20),
  simpleAverage(50),
  simpleAverage(200),
  exponentialAverage(12),
  exponentialAverage(20),
  exponentialAverage(26),
  exponentialAverage(50),
  exponentialAverage(200),
  relativeStrength(14),
  averageTrueRange(14),
  averageDirectionalIndex(14),
  stochastic(14),
  williamsRange(14),
  commodityChannel(20),
  donchianChannel(20),
  ...MACD,
  bollingerBands(20, 2),
];

/** The legal values of `indicators`, in the order of the specification. */
export const TECHNICAL_NAMES: readonly string[] = INDICATOR_TABLE.map(({ name }) => name).toSorted();

/** Newest bars that a value of a field rests on, its own among them: without one of them it is another number. */
export const BARS_NEEDED: Readonly<Record<string, number>> = Object.assign(
  {},
  ...INDICATOR_TABLE.map(({ fields }) => fields),
);

/** The row fields that carry indicators, in the order of the service's rows. See docs/interface-endpoints.md#technical-indicators. */
export const TECHNICAL_ROW_FIELDS: readonly string[] = Object.keys(BARS_NEEDED);

/** The names of the fields for people. */
const FIELD_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  INDICATOR_TABLE.flatMap(({ fields, labels }) => Object.keys(fields).map((field, i) => [field, labels[i] ?? field])),
);

/** A query with the indicators that people draw together: all three lines of MACD. */
export function drawnTogether({ indicators }: Readonly<Record<string, string | undefined>>): { indicators?: string } {
  const asked = indicators?.split(',').map((name) => name.trim().toLowerCase()) ?? [];
  if (!asked.includes('macd')) return {};
  return { indicators: [...new Set([...asked, 'macd_signal', 'macd_histogram'])].join(',') };
}

/** Indicators that stay legible together. */
const LEGIBLE_TOGETHER = ['sma_50', 'sma_200', 'bollinger_bands', 'rsi_14', 'macd', 'stochastic_14_3'];

/** The chart of a pair for requested indicators: averages and bands over the price, oscillators in panels. */
export function pairChart(args: Readonly<Record<string, unknown>>): ChartFields {
  const asked = Array.isArray(args.indicators) ? args.indicators.map(String) : [];
  const isAll = asked.includes('all') || TECHNICAL_NAMES.every((name) => asked.includes(name));
  const names = isAll ? LEGIBLE_TOGETHER : asked;
  const drawn = names.flatMap((name) => INDICATOR_TABLE.find((indicator) => indicator.name === name) ?? []);
  const overPrice = drawn.filter((indicator) => indicator.drawn === 'over the price');
  const bands = overPrice.flatMap(({ members: { upper, lower } = {} }) =>
    upper !== undefined && lower !== undefined ? [[upper, lower] as const] : [],
  );
  const panels = new Set(drawn.flatMap(({ drawn }) => (drawn === 'over the price' ? [] : [drawn])));
  return {
    at: 'date',
    panels: [
      {
        unit: `${args.quote} for one ${args.base}`,
        alike: ['open', 'high', 'low', 'close'],
        values: ['val', ...overPrice.flatMap(({ fields }) => Object.keys(fields))],
        names: { val: `${args.base}/${args.quote}`, ...FIELD_NAMES },
        ...(bands.length > 0 && { bands }),
      },
      ...panels,
    ],
    ...(isAll && {
      notDrawn: [`Drawn of all indicators: ${LEGIBLE_TOGETHER.join(', ')}; --indicators names others.`],
    }),
  };
}
