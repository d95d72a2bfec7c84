// The most memory that `macro import ecb` of 27 years of rates holds. When garbage is collected is a matter of luck, a
// hundred megabytes of it, so the worst of several processes counts.
import { join } from 'node:path';
import { euroRates } from './euro-rates.mjs';
import { megabytesOf, withHome } from './start-support.mjs';

const GOAL_MEGABYTES = 250;
const PROCESSES = 10;

export default {
  name: `import of 27 years of euro rates, memory vs ${GOAL_MEGABYTES} MB`,
  goal: 1,
  run: () =>
    withHome((home) => {
      const { path, words } = euroRates();
      const held = Array.from({ length: PROCESSES }, (_, i) =>
        megabytesOf(['import', 'ecb', path, '--mirror', join(home, `${i}.db`)], home),
      ).sort((a, b) => a - b);
      const told = held.map((one) => one.toFixed(0)).join(', ');
      return { ratio: held[PROCESSES - 1] / GOAL_MEGABYTES, detail: `${told} MB in ${PROCESSES} processes, ${words}` };
    }),
};
