// Pages of 100 rows, each offset once, against json-server over the same rows, by the processor's time of each server.
import { rowsOf, timeOf } from './serve-once.mjs';
import { startBeside, startMacro, stop } from './serve-programs.mjs';
import { withRates } from './start-support.mjs';
import { inTurn } from './support.mjs';

const PATH = '/v1/forex/EUR/USD?start_date=1999-01-01';
const PAGES = 1_000;

// Goal: five times the pages a second, so a fifth of its time.
export default {
  name: 'serve: pages of 100 rows, each offset once, against json-server',
  goal: 0.2,
  run: () =>
    withRates(async (home) => {
      const ours = await startMacro(home, []);
      const rows = await rowsOf(ours.port, PATH);
      const theirs = await startBeside('serve-json-server.mjs', { rows });
      try {
        const pages = (path) =>
          Array.from({ length: PAGES }, (_, i) => path(i * Math.floor((rows.length - 100) / PAGES)));
        let round = 0;
        const compared = await inTurn({
          ours: () => {
            // Other lengths each time: no question repeats.
            round += 1;
            return timeOf(
              ours,
              pages((at) => `${PATH}&limit=${101 - round}&offset=${at}`),
            );
          },
          theirs: () =>
            timeOf(
              theirs,
              pages((at) => `/rows?_start=${at}&_limit=${101 - round}`),
            ),
          ...{ rounds: 5, warmUps: 1 },
        });
        const detail = `${compared.ours.toFixed(0)} against ${compared.theirs.toFixed(0)} microseconds`;
        return { ...compared, detail };
      } finally {
        await Promise.all([stop(ours), stop(theirs)]);
      }
    }),
};
