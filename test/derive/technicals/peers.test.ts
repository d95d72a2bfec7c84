import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import library from '@ixjb94/indicators';
import {
  ATR,
  BollingerBands,
  CCI,
  DonchianChannels,
  ADX as PeerAdx,
  EMA as PeerEma,
  RSI,
  SMA,
  StochasticOscillator,
  WilliamsR,
  WSMA,
} from 'trading-signals';
import { describe, expect, it } from 'vitest';
import { type OhlcBar, randomBars, technicalsOf } from './support.ts';

/*
 * The same columns from two independent packages, on every row. They disagree with our definitions in three points, each
 * of which is bridged here instead of being waved through: both seed exponential averages with the first close, so they
 * are given the mean of the first n in its place; both count the first bar as a movement of zero in ADX, so a whole ADX is
 * compared once that has died out, and every row with one composed of their Wilder average; and both answer a flat
 * market with 0 or NaN, so flat windows are left to the tests of flat markets.
 */
const peer = new library.IndicatorsSync();
const TOLERANCE = 1e-8;

interface Market {
  readonly bars: readonly OhlcBar[];
  readonly high: number[];
  readonly low: number[];
  readonly close: number[];
}

function marketOf(bars: readonly OhlcBar[]): Market {
  return {
    bars,
    high: bars.map(({ high }) => high),
    low: bars.map(({ low }) => low),
    close: bars.map(({ close }) => close),
  };
}

/** Daily EUR/USD reference rates: rows without a bar. */
function eurUsd(): Market | undefined {
  const path = fileURLToPath(new URL('../../../../shared/data/ecb-reference-rates.csv', import.meta.url));
  if (!existsSync(path)) return undefined;
  const [head = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const column = head.split(',').indexOf('USD');
  const values = lines.map((line) => Number(line.split(',')[column])).filter((value) => value > 0);
  return marketOf(values.reverse().map((val) => ({ val, open: val, high: val, low: val, close: val })));
}

/** A column has values from its first row on, and on each of them the value of the peer, whose list ends where ours does. */
function expectSame(ours: Float64Array | undefined, theirs: readonly number[], firstRow: number): void {
  const column = Array.from(ours ?? []);
  expect(column.findIndex((value) => !Number.isNaN(value))).toBe(firstRow);
  const offset = column.length - theirs.length;
  let worst = 0;
  for (let row = Math.max(firstRow, offset); row < column.length; row += 1) {
    const expected = theirs[row - offset] ?? Number.NaN;
    worst = Math.max(worst, Math.abs((column[row] ?? Number.NaN) - expected) / Math.max(1, Math.abs(expected)));
  }
  expect(worst).toBeLessThan(TOLERANCE);
}

/** Values with the mean of their first n in front: what a peer needs to start where we do. */
function meanFirst(values: readonly number[], size: number): number[] {
  const mean = values.slice(0, size).reduce((sum, value) => sum + value, 0) / size;
  return [mean, ...values.slice(size)];
}

/** Values of a streaming peer, without the rows on which it is not ready. */
function stream<T>(inputs: readonly T[], next: (input: T) => number | null | undefined): number[] {
  return inputs.map(next).filter((value): value is number => typeof value === 'number');
}

const markets: readonly (readonly [string, Market | undefined])[] = [
  ['on seeded bars near 100', marketOf(randomBars(1500, 7))],
  ['on seeded bars near 0.6', marketOf(randomBars(1500, 8, 0.6))],
  ['on EUR/USD of the European Central Bank (skipped without the official rates)', eurUsd()],
];

for (const [name, market] of markets)
  describe.skipIf(market === undefined)(name, () => compare(market ?? marketOf([])));

function compare({ bars, high, low, close }: Market): void {
  const { columns } = technicalsOf(bars);
  const field = (name: string) => columns[name];

  it.each([20, 50, 200] as const)('sma_%i', (size) => {
    expectSame(field(`sma_${size}`), peer.sma(close, size), size - 1);
    const average = new SMA(size);
    expectSame(
      field(`sma_${size}`),
      stream(close, (value) => average.update(value, false)),
      size - 1,
    );
  });

  it.each([12, 20, 26, 50, 200] as const)('ema_%i', (size) => {
    expectSame(field(`ema_${size}`), peer.ema(meanFirst(close, size), size), size - 1);
    const average = new PeerEma(size);
    expectSame(
      field(`ema_${size}`),
      stream(meanFirst(close, size), (value) => average.update(value, false)),
      size - 1,
    );
  });

  it('macd, its signal and its histogram', () => {
    const short = peer.ema(meanFirst(close, 12), 12).slice(14);
    const long = peer.ema(meanFirst(close, 26), 26);
    const macd = long.map((value, i) => (short[i] ?? Number.NaN) - value);
    const signal = peer.ema(meanFirst(macd, 9), 9);
    expectSame(field('macd'), macd, 25);
    expectSame(field('macd_signal'), signal, 33);
    expectSame(
      field('macd_histogram'),
      signal.map((value, i) => (macd[i + 8] ?? Number.NaN) - value),
      33,
    );
    // Their own MACD, once the first close has been forgotten.
    const [whole = [], line = []] = peer.macd(close, 12, 26, 9);
    expectSame(field('macd'), whole.slice(500), 25);
    expectSame(field('macd_signal'), line.slice(500), 33);
  });

  it('rsi_14', () => {
    expectSame(field('rsi_14'), peer.rsi(close, 14), 14);
    const rsi = new RSI(14);
    expectSame(
      field('rsi_14'),
      stream(close, (value) => rsi.update(value, false)),
      14,
    );
  });

  it('atr_14', () => {
    expectSame(field('atr_14'), peer.atr(high, low, close, 14), 13);
    const atr = new ATR(14);
    expectSame(
      field('atr_14'),
      stream(bars, (bar) => atr.update(bar, false)),
      13,
    );
  });

  it('adx_14, on every row from their Wilder average', () => {
    const [plus, minus, strength] = [new WSMA(14), new WSMA(14), new WSMA(14)];
    const theirs = stream(bars.slice(1), (bar) => {
      const before = bars[bars.indexOf(bar) - 1] ?? bar;
      const [rise, fall] = [bar.high - before.high, before.low - bar.low];
      const up = plus.update(rise > fall && rise > 0 ? rise : 0, false);
      const down = minus.update(fall > rise && fall > 0 ? fall : 0, false);
      if (up === null || down === null) return null;
      return strength.update((100 * Math.abs(up - down)) / (up + down), false);
    });
    expectSame(field('adx_14'), theirs, 27);
  });

  it('adx_14, as a whole, once the first bar has been forgotten', () => {
    expectSame(field('adx_14'), peer.adx(high, low, 14).slice(500), 27);
    const adx = new PeerAdx(14);
    expectSame(field('adx_14'), stream(bars, (bar) => adx.update(bar, false)).slice(500), 27);
  });

  it('stochastic_14_3', () => {
    const [k = [], d = []] = peer.stoch(high, low, close, 14, 1, 3);
    expectSame(field('stoch_k_14'), k, 13);
    expectSame(field('stoch_d_3'), d, 15);
    const stochastic = new StochasticOscillator({ kPeriod: 14, kSlowingPeriod: 1, dPeriod: 3 });
    expectSame(
      field('stoch_d_3'),
      stream(bars, (bar) => stochastic.update(bar, false)?.stochD),
      15,
    );
  });

  it('williams_r_14', () => {
    expectSame(field('williams_r_14'), peer.willr(high, low, close, 14), 13);
    const williams = new WilliamsR(14);
    expectSame(
      field('williams_r_14'),
      stream(bars, (bar) => williams.update(bar, false)),
      13,
    );
  });

  it('cci_20', () => {
    expectSame(field('cci_20'), peer.cci(high, low, close, 20), 19);
    const cci = new CCI(20);
    expectSame(
      field('cci_20'),
      stream(bars, (bar) => cci.update(bar, false)),
      19,
    );
  });

  it('donchian_20', () => {
    const [upper = [], middle = [], lower = []] = peer.dc(high, low, 20);
    expectSame(field('donchian_upper_20'), upper, 19);
    expectSame(field('donchian_middle_20'), middle, 19);
    expectSame(field('donchian_lower_20'), lower, 19);
    const channel = new DonchianChannels(20);
    expectSame(
      field('donchian_middle_20'),
      stream(bars, (bar) => channel.update(bar, false)?.middle),
      19,
    );
  });

  it('bollinger_bands', () => {
    const [lower = [], middle = [], upper = []] = peer.bbands(close, 20, 2);
    expectSame(field('bb_lower'), lower, 19);
    expectSame(field('bb_middle'), middle, 19);
    expectSame(field('bb_upper'), upper, 19);
    const bands = new BollingerBands(20, 2);
    expectSame(
      field('bb_upper'),
      stream(close, (value) => bands.update(value, false)?.upper),
      19,
    );
  });
}
