import { comparePages } from './serve-once.mjs';
import { startMacro, stop, withSandbox } from './serve-programs.mjs';
import { answerOf } from './serve-support.mjs';
import { withRates } from './start-support.mjs';

const FOREX = { direct: '/v1/forex/EUR/USD?start_date=1999-01-01', cross: '/v1/forex/GBP/JPY?start_date=1999-01-01' };
const POSITIONS = ['EUR', 'GBP', 'JPY', 'AUD', 'CAD', 'CHF'].map((name) => `/v1/cot/${name}?start_date=2000-01-01`);

/** Histories of more than a page: a series of the sandbox has some 130 months. */
async function prints({ port }) {
  const paths = [];
  for (const currency of ['USD', 'EUR', 'GBP', 'JPY']) {
    const listed = JSON.parse((await answerOf(port, `/v1/data_catalogue/${currency}`)).body);
    for (const [name, { coverage }] of Object.entries(listed))
      if (coverage.row_count > 100 && coverage.row_count < 200)
        paths.push(`/v1/announcements/${currency}/${name}?start_date=1990-01-01`);
  }
  return paths.slice(0, 40);
}

// Goal: twice the pages a second of a plain server over parsed objects, so half of its time, for the worst of these.
export default {
  name: 'serve: pages of 100 rows that nobody asked for before, against objects in memory',
  goal: 0.5,
  async run() {
    const told = {
      ...(await withRates((home) => withServer(home, [], { forex: [FOREX.direct], 'forex cross': [FOREX.cross] }))),
      ...(await withSandbox(async (ours) =>
        compareAll(ours, { announcements: await prints(ours), cot: POSITIONS }, 1),
      )),
    };
    const [, worst] = Object.entries(told).sort(([, a], [, b]) => b.ratio - a.ratio)[0];
    return {
      ...worst,
      detail: Object.entries(told)
        .map(([name, { ratio, detail }]) => `${name} ${ratio.toFixed(2)}x (${detail})`)
        .join(', '),
    };
  },
};

async function withServer(home, words, pages) {
  const ours = await startMacro(home, words);
  try {
    return await compareAll(ours, pages);
  } finally {
    await stop(ours);
  }
}

async function compareAll(ours, pages, step = 7) {
  const told = {};
  for (const [name, paths] of Object.entries(pages)) told[name] = await comparePages(ours, paths, { step });
  return told;
}
