// One whole answer from the mirror: all indicators of a pair over its history since 1999.
import { startRatio, withRates } from './start-support.mjs';

const WORDS = ['fx', 'eur', 'usd', '--indicators', 'all', '--offline'];

export default {
  name: 'answer: fx eur usd --indicators all --offline vs node -e 0',
  goal: 2,
  run: () => withRates((home) => startRatio(WORDS, home)),
};
