// A page of an announced series of 6,000 releases as it was known three days ago against the same one now. How many of them
// were known then is told with the page, and each is looked at for that: the dearest question of its kind.
import { question, thenAgainstNow } from './as-of-support.mjs';

const QUESTION = question('announcements', { currency: 'USD', indicator: 'gov_bond_10y' }, {});

export default {
  name: 'an announced series as the public knew it three days ago, vs now',
  goal: 2,
  async run() {
    const compared = await thenAgainstNow([QUESTION]);
    const detail = `${compared.ours.toFixed(1)} ms against ${compared.theirs.toFixed(1)} ms, opening included`;
    return { ...compared, detail };
  },
};
