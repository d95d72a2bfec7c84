import { describe, expect, it } from 'vitest';
import { rollingMeans } from '../../../src/derive/technicals/averages.ts';
import { highest, lowest } from '../../../src/derive/technicals/ranges.ts';
import { BARS_NEEDED, TECHNICAL_NAMES, TECHNICAL_ROW_FIELDS } from '../../../src/derive/technicals/table.ts';
import fc from '../../support/properties.ts';
import { type Bar, bar, columnOf, randomBars, seeded, technicalsOf, valuesOnly } from './support.ts';

const ramp = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('MACD by hand', () => {
  // On the ramp 0, 1, 2, ... an n-day exponential average that starts with the mean of the first n days, (n - 1) / 2,
  // stays (n - 1) / 2 behind the close for ever: each step adds (n + 1) / 2 * 2 / (n + 1) = 1. So MACD is 12.5 - 5.5.
  const bars = valuesOnly([...ramp(40), 39]);
  const [macd, signal, histogram] = [
    columnOf(bars, 'macd', 'macd'),
    columnOf(bars, 'macd_signal', 'macd_signal'),
    columnOf(bars, 'macd_histogram', 'macd_histogram'),
  ];

  it('starts on the 26th day, its signal and histogram on the 34th', () => {
    const starts = [macd, signal, histogram].map((column) => column.findIndex((value) => !Number.isNaN(value)));
    expect(starts).toEqual([25, 33, 33]);
    expect([macd[25], macd[39], signal[33], signal[39]].map((value) => value?.toFixed(9))).toEqual(
      Array(4).fill('7.000000000'),
    );
    expect(histogram[39]).toBeCloseTo(0, 9);
  });

  it('goes on by the shares of 12, 26 and 9 days', () => {
    // The close stands still: both distances shrink, 5.5 by 11/13 and 12.5 by 25/27.
    const expected = (12.5 * 25) / 27 - (5.5 * 11) / 13;
    expect(macd[40]).toBeCloseTo(expected, 9);
    expect(signal[40]).toBeCloseTo(7 + (expected - 7) * 0.2, 9);
    expect(histogram[40]).toBeCloseTo((expected - 7) * 0.8, 9);
  });
});

describe('a series of values without bars', () => {
  it('has the technicals of bars whose prices are all that value', () => {
    const closes = randomBars(300, 3).map(({ close }) => close);
    const asBars = closes.map((close) => bar(close, close, close));
    expect(technicalsOf(valuesOnly(closes)).columns).toEqual(technicalsOf(asBars).columns);
  });

  it('ignores a bar that lacks one of high, low and close', () => {
    const whole = randomBars(60, 4);
    const broken: Bar[] = whole.map(({ val, high, low, close }, i) => {
      if (i % 3 === 0) return { val, high, low, close: null };
      return i % 3 === 1 ? { val, high, close } : { val, low: null, high, close };
    });
    expect(technicalsOf(broken).columns).toEqual(technicalsOf(valuesOnly(whole.map(({ val }) => val))).columns);
  });
});

describe('the average of a row with a bar', () => {
  it('reads its close, not its val', () => {
    const bars = ramp(20).map((i) => ({ ...bar(i + 2, i, i + 1), val: 1000 }));
    // Closes 1 to 20.
    expect(columnOf(bars, 'sma_20', 'sma_20')[19]).toBe(10.5);
  });
});

describe('a flat market', () => {
  const prices = [1, 3.6725, 1.1001, 0.1 + 0.2, 153.47];

  it.each(prices)('of %d has the agreed values and bands without width', (price) => {
    const { indicatorsAt } = technicalsOf(valuesOnly(Array(260).fill(price)));
    const rounded = Math.round(price * 1e6) / 1e6;
    const band = { upper: rounded, middle: rounded, lower: rounded };
    expect(indicatorsAt(259)).toMatchObject({
      adx_14: 0,
      atr_14: 0,
      bollinger_bands: band,
      cci_20: 0,
      donchian_20: band,
      ema_12: rounded,
      ema_20: rounded,
      ema_200: rounded,
      ema_26: rounded,
      ema_50: rounded,
      macd: { macd: 0, signal: 0, histogram: 0 },
      macd_histogram: 0,
      macd_signal: 0,
      rsi_14: 50,
      sma_20: rounded,
      sma_200: rounded,
      sma_50: rounded,
      stochastic_14_3: { k: 50, d: 50 },
      williams_r_14: -50,
    });
  });

  it('that follows a jump is flat again as soon as the window has passed it', () => {
    const bars = valuesOnly([...randomBars(40, 5, 150).map(({ close }) => close), ...Array(20).fill(160.07)]);
    const { cci_20, stochastic_14_3, williams_r_14, bollinger_bands } = technicalsOf(bars).indicatorsAt(59);
    expect({ cci_20, k: stochastic_14_3, williams_r_14, bollinger_bands }).toEqual({
      cci_20: 0,
      k: { k: 50, d: 50 },
      williams_r_14: -50,
      bollinger_bands: { upper: 160.07, middle: 160.07, lower: 160.07 },
    });
  });
});

describe('a market that only rises', () => {
  it('has RSI 100, %K 100, %R 0 and ADX 100', () => {
    const { indicatorsAt } = technicalsOf(valuesOnly(ramp(60).map((i) => 1 + i / 100)));
    const { rsi_14, stochastic_14_3, williams_r_14, adx_14 } = indicatorsAt(59);
    expect({ rsi_14, stochastic_14_3, williams_r_14, adx_14 }).toEqual({
      rsi_14: 100,
      stochastic_14_3: { k: 100, d: 100 },
      williams_r_14: 0,
      adx_14: 100,
    });
  });
});

describe('a row without a value', () => {
  const bars = randomBars(320, 6);
  const missingRanges = new Set([0, 1, 150, 255, 256, 257, 319]);
  const withHoles: Bar[] = [];
  for (const one of bars) {
    while (missingRanges.has(withHoles.length)) withHoles.push({ val: null, high: 9, low: 1, close: 5 });
    withHoles.push(one);
  }

  it('has no technicals, and the rows after it do not notice', () => {
    const whole = technicalsOf(bars).columns;
    const pierced = technicalsOf(withHoles).columns;
    const kept = withHoles.flatMap(({ val }, row) => (val === null ? [] : [row]));
    for (const field of TECHNICAL_ROW_FIELDS) {
      const column = Array.from(pierced[field] ?? []);
      expect(kept.map((row) => column[row])).toEqual(Array.from(whole[field] ?? []));
      expect([...missingRanges].map((row) => column[row])).toEqual([...missingRanges].map(() => Number.NaN));
    }
  });

  it('shows null for a number and an object of nulls for the rest, when it is the newest', () => {
    const { indicatorsAt, fields, rowTexts } = technicalsOf([...bars, { val: null }], ['rsi_14', 'macd']);
    expect(indicatorsAt(320)).toEqual({ rsi_14: null, macd: { macd: null, signal: null, histogram: null } });
    expect([fields, rowTexts(320)]).toEqual([
      ['rsi_14', 'macd'],
      ['null', 'null'],
    ]);
  });
});

describe('warm-up', () => {
  it('ends where the definitions say, counted in bars', () => {
    const { columns } = technicalsOf(randomBars(220, 9));
    const first = Object.fromEntries(
      TECHNICAL_ROW_FIELDS.map((field) => [field, (columns[field] ?? []).findIndex((v) => !Number.isNaN(v)) + 1]),
    );
    // An indicator of a window has a value as soon as the window is full; recurrences begin where they are seeded.
    const ofWindows = Object.entries(BARS_NEEDED).filter(([, bars]) => Number.isFinite(bars));
    expect(first).toMatchObject(Object.fromEntries(ofWindows));
    expect(first).toMatchObject({
      sma_20: 20,
      sma_50: 50,
      sma_200: 200,
      ema_12: 12,
      ema_20: 20,
      ema_26: 26,
      ema_50: 50,
      ema_200: 200,
      rsi_14: 15,
      atr_14: 14,
      adx_14: 28,
      stoch_k_14: 14,
      stoch_d_3: 16,
      williams_r_14: 14,
      cci_20: 20,
      donchian_upper_20: 20,
      donchian_middle_20: 20,
      donchian_lower_20: 20,
      macd: 26,
      macd_signal: 34,
      macd_histogram: 34,
      bb_upper: 20,
      bb_middle: 20,
      bb_lower: 20,
    });
  });

  it('leaves null where history is too short, by member', () => {
    const short = technicalsOf(randomBars(30, 10), ['sma_200', 'macd', 'stochastic_14_3', 'bollinger_bands']);
    const { sma_200, macd, bollinger_bands } = short.indicatorsAt(14);
    expect({ sma_200, macd, bollinger_bands }).toEqual({
      sma_200: null,
      macd: { macd: null, signal: null, histogram: null },
      bollinger_bands: { upper: null, middle: null, lower: null },
    });
    expect(short.indicatorsAt(14).stochastic_14_3).toEqual({ k: expect.any(Number), d: null });
    expect(short.indicatorsAt(29).macd).toEqual({ macd: expect.any(Number), signal: null, histogram: null });
  });
});

describe('an empty window', () => {
  it('has null for every name asked', () => {
    const nothing = Object.fromEntries(TECHNICAL_NAMES.map((name) => [name, null]));
    expect(technicalsOf([]).indicatorsAt(-1)).toEqual(nothing);
    expect(technicalsOf(randomBars(300, 11)).indicatorsAt(-1)).toEqual(nothing);
    expect(technicalsOf(randomBars(3, 11), ['macd']).indicatorsAt(3)).toEqual({ macd: null });
  });
});

describe('the names asked', () => {
  it.each<[string, readonly string[]]>([
    ['sma_20', ['sma_20']],
    ['macd', ['macd']],
    ['macd_signal', ['macd_signal']],
    ['stochastic_14_3', ['stoch_k_14', 'stoch_d_3']],
    ['donchian_20', ['donchian_upper_20', 'donchian_middle_20', 'donchian_lower_20']],
    ['bollinger_bands', ['bb_upper', 'bb_middle', 'bb_lower']],
  ])('%s adds its fields to a row', (name, fields) => {
    const computed = technicalsOf(randomBars(60, 12), [name]);
    expect(computed.fields).toEqual(fields);
    const exact = computed.fields.map((field) => computed.columns[field]?.[59] ?? Number.NaN);
    const apart = computed.rowTexts(59).map((text, i) => Math.abs(Number(text) - (exact[i] ?? Number.NaN)));
    expect(Math.max(...apart)).toBeLessThan(0.500_001e-6);
  });

  it('all add every field, in the order of the service', () => {
    const { fields, rowTexts } = technicalsOf(randomBars(2, 12));
    expect([fields, rowTexts(1)]).toEqual([TECHNICAL_ROW_FIELDS, TECHNICAL_ROW_FIELDS.map(() => 'null')]);
  });

  it('never change a value of one another', () => {
    const bars = randomBars(260, 13);
    const all = technicalsOf(bars);
    for (const name of TECHNICAL_NAMES) {
      const alone = technicalsOf(bars, [name]);
      expect(alone.indicatorsAt(259)).toEqual({ [name]: all.indicatorsAt(259)[name] });
      for (const field of alone.fields) expect(alone.columns[field]).toEqual(all.columns[field]);
    }
  });

  it('compute no other columns', () => {
    expect(Object.keys(technicalsOf(randomBars(5, 14), ['rsi_14', 'macd']).columns).toSorted()).toEqual([
      'macd',
      'macd_histogram',
      'macd_signal',
      'rsi_14',
    ]);
    expect(technicalsOf(randomBars(5, 14), []).indicatorsAt(4)).toEqual({});
  });
});

describe('spelling', () => {
  it('rounds half to even at 6 decimals and writes floats', () => {
    const spelled = (values: readonly number[]) => technicalsOf(valuesOnly(values), ['sma_20']).rowTexts(19)[0];
    // 1/128 and 3/128 lie exactly between two decimals: 0.0078125 and 0.0234375.
    expect([1, 1 / 128, 3 / 128].map((price) => spelled(Array(20).fill(price)))).toEqual([
      '1.0',
      '0.007812',
      '0.023438',
    ]);
    // These means look like ties and are none: 1.00000050000000006989 and 1.00000149999999998762.
    expect([1.00001, 1.00003].map((last) => spelled([...Array(19).fill(1), last]))).toEqual(['1.000001', '1.000001']);
  });
});

describe('long histories', () => {
  const values = (count: number) => {
    const random = seeded(15);
    // Sums that a plain running total would spoil: large and small prices take turns.
    return Array.from({ length: count }, (_, i) => (i % 500 < 250 ? 1e6 : 1) * (1 + random()));
  };

  it('do not let sums drift: after 100,000 rows they are those of the last window', () => {
    const all = values(100_000);
    for (const size of [20, 50, 200]) {
      const sum = (rollingMeans(Float64Array.from(all), size, 0).at(-1) ?? Number.NaN) * size;
      const direct = all.slice(-size).reduce((total, value) => total + value, 0);
      expect(Math.abs(sum - direct)).toBeLessThan(1e-9);
    }
  });

  it('do not let bands drift', () => {
    const closes = [...values(20_000), ...randomBars(40, 16, 1).map(({ close }) => close)];
    const late = technicalsOf(valuesOnly(closes), ['bollinger_bands', 'cci_20']).indicatorsAt(closes.length - 1);
    const fresh = technicalsOf(valuesOnly(closes.slice(-20)), ['bollinger_bands', 'cci_20']).indicatorsAt(19);
    expect(late).toEqual(fresh);
  });
});

describe('extremes', () => {
  it('are those of the last n values, in any order of values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 600 }),
        fc.integer({ min: 1, max: 9 }),
        (all, size) => {
          const values = Float64Array.from(all);
          const [tops, bottoms] = [[...highest(values, size, 0)], [...lowest(values, size, 0)]];
          const windows = all.map((_, i) => (i + 1 < size ? [Number.NaN] : all.slice(i - size + 1, i + 1)));
          expect(tops.map((value) => value + 0)).toEqual(windows.map((window) => Math.max(...window) + 0));
          expect(bottoms.map((value) => value + 0)).toEqual(windows.map((window) => Math.min(...window) + 0));
        },
      ),
    );
  });
});

describe('results from a row on', () => {
  it('are those of the whole series, wherever the row stands', () => {
    const bars = randomBars(700, 21);
    const whole = technicalsOf(bars);
    for (const first of [0, 1, 255, 256, 257, 511, 650, 699]) {
      const part = technicalsOf(bars, undefined, first);
      for (let row = first; row < bars.length; row += 1) expect(part.rowTexts(row)).toEqual(whole.rowTexts(row));
    }
  });

  it('have the same bits wherever the row stands, with as many digits as rates are published with', () => {
    const price = fc.tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 6 }));
    const series = fc.array(
      price.map(([digits, decimals]) => digits / 10 ** decimals),
      { minLength: 1, maxLength: 400 },
    );
    fc.assert(
      fc.property(series, fc.nat(399), (prices, at) => {
        const first = at % prices.length;
        const whole = technicalsOf(valuesOnly(prices)).columns;
        const part = technicalsOf(valuesOnly(prices), undefined, first).columns;
        for (const field of TECHNICAL_ROW_FIELDS) expect(part[field]).toEqual(whole[field]?.slice(first));
      }),
    );
  });
});
