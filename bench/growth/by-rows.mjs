// One series that grows: its newest page and its total, a page from the middle, a commit of one more page, bytes a row.
import { statSync } from 'node:fs';
import { EURUSD, fillPair, openPair } from '../mirror-large.mjs';
import { commitOf, ratesOf, withFiles } from '../mirror-support.mjs';
import { medianTime } from '../support.mjs';

export const byRows = {
  title: 'One series of daily rates',
  counts: 'rows',
  figures: ['newest page, ms', 'page from the middle, ms', 'commit of 100 rows, ms', 'bytes a row'],
  sizes: [1_000, 10_000, 100_000, 1_000_000, 10_000_000],
  measure: (count) =>
    withFiles(async (path) => {
      const file = path();
      await fillPair(file, count);
      const bytes = statSync(file).size / count;
      const mirror = await openPair(file, 'write');
      const page = (offset) => () =>
        mirror.snapshot(async (reader) => {
          const [series] = await reader.find(EURUSD);
          await reader.count(series, {});
          const rows = await reader.rows(series, {}, { limit: 100, offset });
          if (rows.length !== 100) throw new Error(`${rows.length} rows`);
        });
      const newest = await medianTime(page(0));
      const middle = await medianTime(page(count / 2), { rounds: 11 });
      let later = Date.UTC(2030, 0, 1);
      const commit = () => {
        later += 100 * 86_400_000;
        return mirror.commitPage(commitOf('USD', ratesOf(100, { last: later })));
      };
      const committed = await medianTime(commit);
      mirror.close();
      return [newest, middle, committed, bytes];
    }),
};
