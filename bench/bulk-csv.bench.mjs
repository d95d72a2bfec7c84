// The same as CSV with all technical indicators: 34 columns, 24 of them computed.
import { measureBulk } from './bulk-support.mjs';

export default {
  name: 'bulk: 100,000 rows as CSV with all indicators vs 1.5 s and 250 MB, the worse of both',
  goal: 1,
  run: () => measureBulk({ ending: 'csv', words: ['--indicators', 'all'], goalSeconds: 1.5, goalMegabytes: 250 }),
};
