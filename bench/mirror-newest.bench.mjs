// The newest page of a series and its total, in a mirror with 10 million rows of it against one with 100 thousand. The files
// are filled by SQL, and removed afterwards; the mirror is opened anew for each page, so that nothing is remembered.
import Database from 'better-sqlite3';
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { commitOf, platform, ratesOf, withFiles } from './mirror-support.mjs';
import { alternate } from './support.mjs';

const SMALL = 100_000;
const LARGE = 10_000_000;

/** A mirror of one pair, filled up with older rows that sort behind the real ones. */
async function fill(path, count) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const rows = ratesOf(1000);
  await mirror.commitPage(commitOf('USD', rows));
  mirror.close();
  const db = new Database(path);
  db.pragma('synchronous = off');
  db.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count - rows.length})
    insert into fx_daily (series, date, val, seen, keyed, text)
    select 1, printf('1%08d', ${LARGE} - i), 1.5, 1, 1, printf('{"date":"1%08d","val":1.5}', ${LARGE} - i) from n`);
  db.exec(`update sums set rows = ${count} where part = 'current'`);
  db.close();
}

async function newestPage(path, count) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' });
  const answer = await mirror.snapshot(async (reader) => {
    const [series] = await reader.find({ endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } });
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
      await fill(small, SMALL);
      await fill(large, LARGE);
      const { oursMs, theirsMs, ratio } = await alternate({
        ours: () => newestPage(large, LARGE),
        theirs: () => newestPage(small, SMALL),
      });
      return { ratio, detail: `${oursMs.toFixed(2)} ms against ${theirsMs.toFixed(2)} ms, opening included` };
    }),
};
