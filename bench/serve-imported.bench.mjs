import { startMacro, stop } from './serve-programs.mjs';
import { slowest } from './serve-slowest.mjs';
import { withRates } from './start-support.mjs';

const pages = (path) => (i) => [`${path}&start_date=1999-01-01&offset=${i}`];

// Goal: each under 30 ms over the whole history of the rates, which is more than 6,000 days.
export default {
  name: 'serve: slowest answer over a full import of rates, in units of 30 ms',
  goal: 1,
  run: () =>
    withRates(async (home) => {
      const ours = await startMacro(home, ['--no-quota']);
      try {
        return await slowest(ours, {
          'forex with all indicators': pages('/v1/forex/EUR/USD?indicators=all'),
          'forex cross with all indicators': pages('/v1/forex/GBP/JPY?indicators=all'),
          'fx reference': pages('/v1/fx/reference-rates/EUR/USD?limit=20'),
          'fx reference, cross': pages('/v1/fx/reference-rates/GBP/JPY?limit=20'),
          'fx session': pages('/v1/fx/session-rates/EUR/USD?session=london'),
          'fx session, cross': pages('/v1/fx/session-rates/GBP/JPY?session=london'),
        });
      } finally {
        await stop(ours);
      }
    }),
};
