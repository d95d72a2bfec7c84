// Answers as they were known three days ago against the same ones now: a page of daily rates, all indicators of their
// 6,000 days, and a page of an announced series whose rows list their vintages.
import { question, thenAgainstNow } from './as-of-support.mjs';

const PAIR = { base: 'EUR', quote: 'USD' };
const QUESTIONS = [
  question('forex', PAIR, { start_date: '2020-01-01' }),
  question('forex', PAIR, { start_date: '2020-01-01', indicators: 'all' }),
  question('announcements', { currency: 'USD', indicator: 'gov_bond_10y' }, {}),
];

export default {
  name: 'answers as the public knew them three days ago, vs now',
  goal: 2,
  async run() {
    const compared = await thenAgainstNow(QUESTIONS);
    const times = `${compared.ours.toFixed(1)} ms against ${compared.theirs.toFixed(1)} ms`;
    return { ...compared, detail: `${times} for three answers, opening included` };
  },
};
