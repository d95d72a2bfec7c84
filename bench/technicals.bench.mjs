// All 19 indicators of 6,000 daily bars against the fastest npm library that has them all. Both start from rows, as a
// series is stored, and end with the same 24 columns; the library's calls are its plain synchronous ones.
import indicators from '@ixjb94/indicators';
import { alternate, loadSource, seeded } from './support.mjs';

const ROWS = 6000;

function randomBars() {
  const random = seeded(19);
  let close = 1.1;
  return Array.from({ length: ROWS }, () => {
    const open = close;
    close *= 1 + (random() - 0.5) * 0.02;
    const high = Math.max(open, close) * (1 + random() * 0.004);
    const low = Math.min(open, close) * (1 - random() * 0.004);
    return { val: close, open, high, low, close };
  });
}

function libraryColumns(library, bars) {
  const [high, low, close] = [bars.map((b) => b.high), bars.map((b) => b.low), bars.map((b) => b.close)];
  return [
    ...[20, 50, 200].map((size) => library.sma(close, size)),
    ...[12, 20, 26, 50, 200].map((size) => library.ema(close, size)),
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

export default {
  name: 'technical indicators, 19 on 6,000 bars, vs @ixjb94/indicators',
  goal: 1,
  async run() {
    const { technicals } = await loadSource('src/derive/technicals/technicals.ts');
    const library = new indicators.IndicatorsSync();
    const bars = randomBars();
    const { ratio, oursMs, theirsMs } = await alternate({
      ours: () => technicals(bars),
      theirs: () => libraryColumns(library, bars),
    });
    const perRow = (ms) => `${((ms * 1e6) / ROWS).toFixed(0)} ns`;
    return { ratio, detail: `${perRow(oursMs)} against ${perRow(theirsMs)} a row` };
  },
};
