// A page of an announced series of 6,000 releases as it was known five years ago against the same page now: behind it lie all
// releases since, of which the answer may know nothing.
import { question, thenAgainstNow } from './as-of-support.mjs';

const YEAR = { start_date: '2020-11-01', end_date: '2021-11-01' };
const QUESTION = question('announcements', { currency: 'USD', indicator: 'gov_bond_10y' }, YEAR);

export default {
  name: 'an announced series as the public knew it five years ago, vs now',
  goal: 2,
  async run() {
    const compared = await thenAgainstNow([QUESTION], { daysAgo: 5 * 365 });
    const detail = `${compared.ours.toFixed(1)} ms against ${compared.theirs.toFixed(1)} ms, opening included`;
    return { ...compared, detail };
  },
};
