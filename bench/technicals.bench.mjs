// All technical indicators of 6,000 daily bars against the fastest of the npm libraries that have them. All start from rows, as a series
// is stored; ours and the library that has them all end with the same 24 columns.
import { alternate, loadSource, medianTime, seeded } from './support.mjs';
import { LIBRARIES } from './technicals-libraries.mjs';

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

export default {
  name: 'technical indicators, 19 on 6,000 bars, vs the fastest library',
  goal: 1,
  async run() {
    const { technicals } = await loadSource('src/derive/technicals/technicals.ts');
    const bars = randomBars();
    const column = (name) => Float64Array.from(bars, (bar) => bar[name]);
    const perRow = (ms) => `${((ms * 1e6) / ROWS).toFixed(0)} ns`;
    const times = [];
    for (const [name, columns] of Object.entries(LIBRARIES))
      times.push({ name, columns, ms: await medianTime(() => columns(bars), { rounds: 9 }) });
    const [fastest] = times.sort((a, b) => a.ms - b.ms);
    const compared = await alternate({
      ours: () =>
        technicals({ vals: column('val'), highs: column('high'), lows: column('low'), closes: column('close') }),
      theirs: () => fastest.columns(bars),
    });
    const all = times.map(({ name, ms }) => `${name} ${perRow(ms)}`).join(', ');
    return { ...compared, detail: `${perRow(compared.ours)} a row; ${all}` };
  },
};
