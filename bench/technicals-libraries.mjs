// The indicators of the contract by the libraries that have them, each called as its own documentation does. What a library has
// not is left out, which is to its advantage.
import indicators from '@ixjb94/indicators';
import * as signals from 'trading-signals';
import { peer } from './peers.mjs';

const [SMA_SIZES, EMA_SIZES] = [
  [20, 50, 200],
  [12, 20, 26, 50, 200],
];

/** By name: all of its columns for bars of `open`, `high`, `low`, `close`. */
export const LIBRARIES = {
  '@ixjb94/indicators': byIxjb94,
  technicalindicators: byTechnicalIndicators,
  'trading-signals': bySignals,
};

const listsOf = (bars) => [bars.map((b) => b.high), bars.map((b) => b.low), bars.map((b) => b.close)];

function byIxjb94(bars) {
  const library = new indicators.IndicatorsSync();
  const [high, low, close] = listsOf(bars);
  return [
    ...SMA_SIZES.map((size) => library.sma(close, size)),
    ...EMA_SIZES.map((size) => library.ema(close, size)),
    library.rsi(close, 14),
    library.atr(high, low, close, 14),
    library.adx(high, low, 14),
    ...library.stoch(high, low, close, 14, 1, 3),
    library.willr(high, low, close, 14),
    library.cci(high, low, close, 20),
    ...library.dc(high, low, 20),
    ...library.macd(close, 12, 26, 9),
    ...library.bbands(close, 20, 2),
  ];
}

/** It has no Donchian channels. */
function byTechnicalIndicators(bars) {
  const library = peer('technicalindicators');
  const [high, low, close] = listsOf(bars);
  return [
    ...SMA_SIZES.map((period) => library.SMA.calculate({ period, values: close })),
    ...EMA_SIZES.map((period) => library.EMA.calculate({ period, values: close })),
    library.RSI.calculate({ period: 14, values: close }),
    library.ATR.calculate({ period: 14, high, low, close }),
    library.ADX.calculate({ period: 14, high, low, close }),
    library.Stochastic.calculate({ period: 14, signalPeriod: 3, high, low, close }),
    library.WilliamsR.calculate({ period: 14, high, low, close }),
    library.CCI.calculate({ period: 20, high, low, close }),
    library.MACD.calculate({ values: close, fastPeriod: 12, slowPeriod: 26, signalPeriod: 9 }),
    library.BollingerBands.calculate({ period: 20, stdDev: 2, values: close }),
  ];
}

function bySignals(bars) {
  const ofCloses = [
    ...SMA_SIZES.map((size) => new signals.SMA(size)),
    ...EMA_SIZES.map((size) => new signals.EMA(size)),
    new signals.RSI(14),
    new signals.MACD(new signals.EMA(12), new signals.EMA(26), new signals.EMA(9)),
    new signals.BollingerBands(20, 2),
  ];
  const ofBars = [
    ...[new signals.ATR(14), new signals.ADX(14), new signals.WilliamsR(14), new signals.CCI(20)],
    ...[new signals.StochasticOscillator(14, 1, 3), new signals.DonchianChannels(20)],
  ];
  const columns = [...ofCloses, ...ofBars].map(() => []);
  for (const bar of bars) {
    for (const [i, one] of ofCloses.entries()) columns[i].push(one.update(bar.close, false));
    for (const [i, one] of ofBars.entries()) columns[ofCloses.length + i].push(one.update(bar, false));
  }
  return columns;
}
