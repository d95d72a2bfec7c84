// The newest page of a series and its total, in a mirror with 10 million rows of it against one with 100 thousand. The files
// are filled by SQL, and removed afterwards; the mirror is opened anew for each page, so that nothing is remembered.
import { EURUSD, fillPair, openPair } from './mirror-large.mjs';
import { ratesOf, withFiles } from './mirror-support.mjs';
import { alternate } from './support.mjs';

const SMALL = 100_000;
const LARGE = 10_000_000;

async function newestPage(path, count) {
  const mirror = await openPair(path, 'read');
  const answer = await mirror.snapshot(async (reader) => {
    const [series] = await reader.find(EURUSD);
    const total = await reader.count(series, {});
    const rows = await reader.rows(series, {}, { limit: 100, offset: 0 });
    return { total, newest: rows[0].key[0], rows: rows.length };
  });
  mirror.close();
  const expected = { total: count, newest: ratesOf(1)[0].value.date, rows: 100 };
  if (answer.total !== expected.total || answer.rows !== expected.rows) throw new Error(JSON.stringify(answer));
}

export default {
  name: 'mirror: newest page at 10 million rows, vs at 100 thousand',
  goal: 1.3,
  run: () =>
    withFiles(async (path) => {
      const [small, large] = [path(), path()];
      await fillPair(small, SMALL);
      await fillPair(large, LARGE);
      const compared = await alternate({
        ours: () => newestPage(large, LARGE),
        theirs: () => newestPage(small, SMALL),
      });
      return {
        ...compared,
        detail: `${compared.ours.toFixed(2)} ms against ${compared.theirs.toFixed(2)} ms, opening included`,
      };
    }),
};
