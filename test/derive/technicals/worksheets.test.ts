import { describe, expect, it } from 'vitest';
import { exponentialSmoothing, rollingMeans, seededAverage } from '../../../src/derive/technicals/averages.ts';
import { bar, columnOf, valuesOnly } from './support.ts';

/*
 * Worked examples of StockCharts ChartSchool (the worksheets cs-rsi, cs-atr, cs-adx, cs-cci, cs-soo, cs-percentr,
 * cs-bbands and cs-movavg, which readers of Wilder, Lambert and Bollinger have checked themselves against for years).
 * They print four to seven decimals, so agreement is to a little more than their last one.
 */

/** Values from the first row that has one; the rows before must have none. */
function afterWarmUp(column: readonly number[], firstRow: number): number[] {
  expect(column.slice(0, firstRow)).toEqual(Array(firstRow).fill(Number.NaN));
  return column.slice(firstRow);
}

/** Equal to a printed value, whose last decimal is rounded. */
function expectPrinted(actual: readonly number[], printed: readonly number[], digits: number): void {
  for (const [i, value] of printed.entries())
    expect(Math.abs((actual[i] ?? Number.NaN) - value)).toBeLessThan(0.51 * 10 ** -digits);
}

const transposed = (highs: readonly number[], lows: readonly number[], closes: readonly number[]) =>
  highs.map((high, i) => bar(high, lows[i] ?? 0, closes[i] ?? 0));

describe('moving averages, worksheet cs-movavg', () => {
  const closes = [
    22.2734, 22.194, 22.0847, 22.1741, 22.184, 22.1344, 22.2337, 22.4323, 22.2436, 22.2933, 22.1542, 22.3926, 22.3816,
    22.6109, 23.3558,
  ];

  it('start with the simple mean of the first ten days', () => {
    const simple = [...rollingMeans(Float64Array.from(closes), 10, 0)];
    const exponential = [...seededAverage(Float64Array.from(closes), exponentialSmoothing(10))];
    expectPrinted(afterWarmUp(simple, 9), [22.22, 22.21, 22.23, 22.26, 22.31, 22.42], 2);
    expectPrinted(afterWarmUp(exponential, 9), [22.22, 22.21, 22.24, 22.27, 22.33, 22.52], 2);
  });
});

describe('rsi_14, worksheet cs-rsi', () => {
  const closes = [
    44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931, 46.0328, 45.614,
    46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439, 46.2122, 46.2521, 45.7137, 46.4515, 45.7835, 45.3548,
    44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314,
  ];

  it('starts on the 15th day', () => {
    const column = afterWarmUp(columnOf(valuesOnly(closes), 'rsi_14', 'rsi_14'), 14);
    // Gains: .0595 + .7154 + .4986 + .2691 + .329 + .4188 + .2393 + .1397 + .668 = 3.3374, losses: .2487 + .5373 + .1895
    // + .4188 = 1.3943; both means have the same divisor.
    expect(column[0]).toBeCloseTo((100 * 3.3374) / 4.7317, 10);
    expect(column[0]).toBeCloseTo(70.53, 2);
    expectPrinted(
      column.slice(1),
      [66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38, 54.71, 50.42, 39.99, 41.46, 41.87, 45.46, 37.3],
      2,
    );
  });
});

describe('atr_14, worksheet cs-atr', () => {
  const highs = [
    48.7, 48.72, 48.9, 48.87, 48.82, 49.05, 49.2, 49.35, 49.92, 50.19, 50.12, 49.66, 49.88, 50.19, 50.36, 50.57, 50.65,
    50.43, 49.63, 50.33,
  ];
  const lows = [
    47.79, 48.14, 48.39, 48.37, 48.24, 48.635, 48.94, 48.86, 49.5, 49.87, 49.2, 48.9, 49.43, 49.725, 49.26, 50.09, 50.3,
    49.21, 48.98, 49.61,
  ];
  const closes = [
    48.16, 48.61, 48.75, 48.63, 48.74, 49.03, 49.07, 49.32, 49.91, 50.13, 49.53, 49.5, 49.75, 50.03, 50.31, 50.52,
    50.41, 49.34, 49.37, 50.23,
  ];

  it('starts on the 14th day with the mean of the ranges, the first of which is high less low', () => {
    const column = afterWarmUp(columnOf(transposed(highs, lows, closes), 'atr_14', 'atr_14'), 13);
    expectPrinted(column, [0.555, 0.5939286, 0.5857908, 0.5689486, 0.6154523, 0.61792, 0.6423543], 6);
  });
});

describe('adx_14, worksheet cs-adx', () => {
  const highs = [
    30.1983, 30.2776, 30.4458, 29.3478, 29.3477, 29.2886, 28.8334, 28.7346, 28.6654, 28.8532, 28.6356, 27.6761, 27.2112,
    26.8651, 27.409, 26.9441, 26.5189, 26.5189, 27.0927, 27.686, 28.4477, 28.5267, 28.6654, 29.0116, 29.872, 29.8028,
    29.7529, 30.6546, 30.5951, 30.7635, 31.1698, 30.8923, 30.0402, 30.6645, 30.5951, 31.9724,
  ];
  const lows = [
    29.4072, 29.3182, 29.9611, 28.7443, 28.5566, 28.4081, 28.0818, 27.4289, 27.6565, 27.8345, 27.3992, 27.0927, 26.1826,
    26.1332, 26.6277, 26.1332, 25.4307, 25.3518, 25.876, 26.964, 27.1421, 28.0123, 27.884, 27.9928, 28.7643, 29.1402,
    28.7127, 28.929, 30.0304, 29.3863, 30.1365, 30.4267, 29.3467, 29.9906, 29.5152, 30.9418,
  ];

  it('starts on the 28th day: 14 movements, then the mean of 14 values of DX', () => {
    // Nothing but highs and lows enters: the close is that of the sheet's first day, wherever the market goes.
    const bars = highs.map((high, i) => bar(high, lows[i] ?? 0, 29.872));
    const column = afterWarmUp(columnOf(bars, 'adx_14', 'adx_14'), 27);
    const printed = [
      33.5833461, 32.1534947, 29.9292238, 28.3576178, 26.8982694, 25.7764785, 23.9459048, 22.7832985, 22.071526,
    ];
    expectPrinted(column, printed, 6);
  });
});

describe('cci_20, worksheet cs-cci', () => {
  const highs = [
    24.2013, 24.0721, 24.0423, 23.8733, 23.6745, 23.5851, 23.8037, 23.8036, 24.3007, 24.1516, 24.0522, 24.0622, 23.8833,
    25.1356, 25.1952, 25.066, 25.2151, 25.3741, 25.3642, 25.2648, 24.8175, 24.4398, 24.6485, 24.8374, 24.7479, 24.5094,
    24.6784, 24.6684, 23.8435, 24.3007,
  ];
  const lows = [
    23.8534, 23.7242, 23.6447, 23.3664, 23.4559, 23.1776, 23.3962, 23.5652, 24.0522, 23.7739, 23.595, 23.8435, 23.6447,
    23.9429, 24.738, 24.7678, 24.897, 24.9268, 24.9567, 24.9268, 24.2112, 24.2112, 24.4299, 24.4398, 24.2013, 24.251,
    24.2112, 24.1516, 23.6348, 23.764,
  ];
  const closes = [
    23.8932, 23.9528, 23.6745, 23.7839, 23.4956, 23.3217, 23.754, 23.7938, 24.1417, 23.8137, 23.7839, 23.8634, 23.7044,
    24.9567, 24.8771, 24.9616, 25.1753, 25.066, 25.2747, 24.9964, 24.4597, 24.2808, 24.6237, 24.5815, 24.5268, 24.3504,
    24.3404, 24.2311, 23.764, 24.2013,
  ];

  it('starts on the 20th day', () => {
    const column = afterWarmUp(columnOf(transposed(highs, lows, closes), 'cci_20', 'cci_20'), 19);
    // The sheet computes from unrounded prices and prints four decimals of them.
    const printed = [
      102.315, 30.736, 6.5516, 33.2964, 34.9514, 13.8401, -10.7478, -11.5821, -29.3472, -129.3557, -73.0696,
    ];
    for (const [i, value] of printed.entries()) expect(Math.abs((column[i] ?? 0) - value)).toBeLessThan(0.02);
  });
});

describe('stochastic_14_3 and williams_r_14, worksheets cs-soo and cs-percentr', () => {
  const highs = [
    127.009, 127.6159, 126.5911, 127.3472, 128.173, 128.4317, 127.3671, 126.422, 126.8995, 126.8498, 125.646, 125.7156,
    127.1582, 127.7154, 127.6855, 128.2228, 128.2725, 128.0934, 128.2725, 127.7353, 128.77, 129.2873, 130.0633,
    129.1182, 129.2873, 128.4715, 128.0934, 128.6506, 129.1381, 128.6406,
  ];
  const lows = [
    125.3574, 126.1633, 124.9296, 126.0937, 126.8199, 126.4817, 126.034, 124.8301, 126.3921, 125.7156, 124.5615,
    124.5715, 125.0689, 126.8597, 126.6309, 126.8001, 126.7105, 126.8001, 126.1335, 125.9245, 126.9891, 127.8148,
    128.4715, 128.0641, 127.6059, 127.596, 126.999, 126.8995, 127.4865, 127.397,
  ];
  // The sheets print no closes before the 14th day, and nothing reads them.
  const closes = [
    ...Array(13).fill(126),
    ...[127.2876, 127.1781, 128.0138, 127.1085, 127.7253, 127.0587, 127.3273, 128.7103, 127.8745, 128.5809, 128.6008],
    ...[127.9342, 128.1133, 127.596, 127.596, 128.6904, 128.2725],
  ];
  const bars = transposed(highs, lows, closes);

  it('have %K and %R from the 14th day', () => {
    const printed = [
      70.43822, 67.608909, 89.202108, 65.810552, 81.747713, 64.523797, 74.529776, 98.581442, 70.104533, 73.056091,
      73.417791, 61.23129, 60.956271, 40.386102, 40.386102, 66.828549, 56.73142,
    ];
    const k = afterWarmUp(columnOf(bars, 'stochastic_14_3', 'stoch_k_14'), 13);
    const r = afterWarmUp(columnOf(bars, 'williams_r_14', 'williams_r_14'), 13);
    for (const [i, value] of printed.entries()) {
      expect(Math.abs((k[i] ?? 0) - value)).toBeLessThan(0.002);
      expect(Math.abs((r[i] ?? 0) - (value - 100))).toBeLessThan(0.002);
    }
  });

  it('have %D from the 16th day: the mean of three', () => {
    const d = afterWarmUp(columnOf(bars, 'stochastic_14_3', 'stoch_d_3'), 15);
    const means = [(70.43822 + 67.608909 + 89.202108) / 3, 74.20719, 78.920124, 70.694021, 73.600429, 79.211672];
    for (const [i, value] of means.entries()) expect(Math.abs((d[i] ?? 0) - value)).toBeLessThan(0.002);
  });
});

describe('bollinger_bands, worksheet cs-bbands', () => {
  const closes = [
    86.1557, 89.0867, 88.7829, 90.3228, 89.0671, 91.1453, 89.4397, 89.175, 86.9302, 87.6752, 86.9596, 89.4299, 89.3221,
    88.7241, 87.4497, 87.2634, 89.4985, 87.9006, 89.126, 90.7043, 92.9001, 92.9784, 91.8021, 92.6647,
  ];

  it('start on the 20th day, two population deviations wide', () => {
    const bars = valuesOnly(closes);
    const columns = (['bb_upper', 'bb_middle', 'bb_lower'] as const).map((field) =>
      afterWarmUp(columnOf(bars, 'bollinger_bands', field), 19),
    );
    const printed = [
      [91.291862, 91.949268, 92.612595, 92.9342, 93.31195],
      [88.70794, 89.04516, 89.239745, 89.390705, 89.5078],
      [86.124018, 86.141052, 85.866895, 85.84721, 85.70365],
    ];
    for (const [line, values] of printed.entries()) expectPrinted(columns[line] ?? [], values, 5);
  });
});
