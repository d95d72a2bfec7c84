import { statSync } from 'node:fs';
import { join } from 'node:path';
import { copyWithNoise } from './serve-noise.mjs';
import { sandboxHome, startMacro, stop } from './serve-programs.mjs';
import { daysBack, meanTime } from './serve-slowest.mjs';

const pages = (path) => (i) => [`${path}${path.includes('?') ? '&' : '?'}limit=20&offset=${i}`];
const often = (path) => (i) => [`${path}${path.includes('?') ? '&' : '?'}n=${i}`];

/** Questions about some series, of all in the mirror. */
const QUESTIONS = {
  announcements: pages('/v1/announcements/USD/inflation'),
  latest: often('/v1/announcements/USD/latest'),
  recent: pages('/v1/recent/announcements/USD'),
  predictions: pages('/v1/predictions/USD/inflation'),
  catalogue: often('/v1/data_catalogue/USD?include_coverage=true'),
  calendar: often('/v1/calendar/USD'),
  factor: pages('/v1/factors/USD/monetary_stance'),
  forex: pages('/v1/forex/EUR/USD'),
  'forex cross': pages('/v1/forex/GBP/JPY'),
  'fx reference': pages('/v1/fx/reference-rates/EUR/USD'),
  'fx session': pages('/v1/fx/session-rates/EUR/USD?session=london'),
  curve: (i) => [`/v1/curves/USD?date=${daysBack(i)}`],
  differential: pages('/v1/rate_differentials/EUR/USD'),
  sentiment: pages('/v1/risk_sentiment'),
  positions: pages('/v1/cot/EUR'),
  commodity: pages('/v1/commodities/gold'),
  press: pages('/v1/press-releases/USD'),
  prices: pages('/v1/financial_prices/USD'),
  'changes with whole rows': often('/v1/announcements/changes?payload=full&currencies=usd'),
  settlement: often('/v1/settlement/USD/inflation?strike=3'),
};

/** The least of some means for each server, asked in turn: whatever else the machine does only adds. */
async function leastTimes(servers, question) {
  const least = servers.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 5; round += 1)
    for (const [i, server] of servers.entries()) least[i] = Math.min(least[i], await meanTime(server, question, round));
  return least;
}

// Goal: an answer does not take longer because the mirror holds much that it is not about. The rest is noise.
export default {
  name: 'serve: worst answer of a mirror with thirteen times the series, against the mirror without',
  goal: 1.5,
  run: async () => {
    const home = await sandboxHome();
    const [small, large] = [join(home, 'mirrors', '_served-sandbox.db'), join(home, 'noise.db')];
    const { before, after } = await copyWithNoise(small, large);
    const servers = await Promise.all([small, large].map((file) => startMacro(home, ['--no-quota', '--mirror', file])));
    try {
      let worst = { ratio: 0 };
      for (const [name, question] of Object.entries(QUESTIONS)) {
        const [less, more] = await leastTimes(servers, question);
        const told = `${name}: ${more.toFixed(2)} ms against ${less.toFixed(2)} ms`;
        if (more / less > worst.ratio) worst = { ratio: more / less, told };
      }
      const megabytes = [small, large].map((file) => Math.round(statSync(file).size / 1_048_576));
      const sizes = `${after} series in ${megabytes[1]} MB against ${before} in ${megabytes[0]} MB`;
      return { ratio: worst.ratio, detail: `${worst.told}; ${sizes}` };
    } finally {
      await Promise.all(servers.map(stop));
    }
  },
};
