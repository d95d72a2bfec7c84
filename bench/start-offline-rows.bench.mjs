// The newest 20 rows of a pair, out of a mirror of 200,000.
import { startRatio, withRates } from './start-support.mjs';

const WORDS = ['fx', 'eur', 'usd', '--offline'];

export default {
  name: 'answer: fx eur usd --offline, 20 rows out of 200,000, vs node -e 0',
  goal: 2,
  run: () => withRates((home) => startRatio(WORDS, home)),
};
