// The most memory that `macro import ecb` of the official history holds. When garbage is collected is a matter of luck, a
// hundred megabytes of it, so the worst of several processes counts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FILE, megabytesOf, withHome } from './start-support.mjs';

const GOAL_MEGABYTES = 250;
const PROCESSES = 10;

export default {
  name: `import of the official euro rates, memory vs ${GOAL_MEGABYTES} MB`,
  goal: 1,
  run: () =>
    withHome((home) => {
      if (!existsSync(FILE)) throw new Error('the official file is not here');
      const held = Array.from({ length: PROCESSES }, (_, i) =>
        megabytesOf(['import', 'ecb', FILE, '--mirror', join(home, `${i}.db`)], home),
      ).sort((a, b) => a - b);
      const told = held.map((one) => one.toFixed(0)).join(', ');
      return { ratio: held[PROCESSES - 1] / GOAL_MEGABYTES, detail: `${told} MB in ${PROCESSES} processes` };
    }),
};
