// The most memory of one whole answer from the mirror, above that of an empty Node.
import { extraMegabytes, withRates } from './start-support.mjs';

const GOAL_MEGABYTES = 40;
const WORDS = ['fx', 'eur', 'usd', '--indicators', 'all', '--offline', '--quiet'];

export default {
  name: `answer: memory of the same vs node -e 0 and ${GOAL_MEGABYTES} MB`,
  goal: 1,
  run: () =>
    withRates(async (home) => {
      const megabytes = extraMegabytes(WORDS, home);
      return { ratio: megabytes / GOAL_MEGABYTES, detail: `${megabytes.toFixed(1)} MB more` };
    }),
};
