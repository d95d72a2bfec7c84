// A mirror of one pair with more rows than there are days.
import Database from 'better-sqlite3';
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { commitOf, platform, ratesOf } from './mirror-support.mjs';

/** The series that it holds. */
export const EURUSD = { endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } };

export function openPair(path, mode) {
  return openMirror({ path, mappings: MAPPINGS, platform, mode });
}

/** A thousand rows come by a commit, as ever. Older ones are filled in by SQL, under keys that sort behind every date. */
export async function fillPair(path, count) {
  const mirror = await openPair(path, 'write');
  const rows = ratesOf(Math.min(count, 1_000));
  await mirror.commitPage(commitOf('USD', rows));
  mirror.close();
  const db = new Database(path);
  db.pragma('synchronous = off');
  db.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count - rows.length})
    insert into fx_daily (series, date, val, seen, keyed, text)
    select 1, printf('1%08d', ${count} - i), 1.5, 1, 1, printf('{"date":"1%08d","val":1.5}', ${count} - i)
    from n where ${count} > ${rows.length}`);
  db.exec(`update sums set rows = ${count} where part = 'current'`);
  db.pragma('wal_checkpoint(truncate)');
  db.close();
}
