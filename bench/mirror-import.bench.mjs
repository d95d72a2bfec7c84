// Pages already in memory to committed rows, with revisions, coverage, digests and system tables, against one prepared
// better-sqlite3 insert of the same rows in as many transactions. 41 series of 5,000 days each, newest first.
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { commitOf, insertBare, platform, ratesOf, withFiles } from './mirror-support.mjs';
import { alternate, seeded } from './support.mjs';

const SERIES = 41;
const DAYS = 5000;

function makePages() {
  const random = seeded(7);
  return Array.from({ length: SERIES }, (_, series) => {
    const rows = ratesOf(DAYS, { random });
    const covered = { from: '2004-01-01', to: '2024-01-01', rows: rows.length };
    return commitOf(`Q${series}`, rows, { covered });
  });
}

async function commitAll(path, pages) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  for (const page of pages) await mirror.commitPage(page);
  mirror.close();
}

async function readPages(path) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' });
  const [series] = await mirror.find({ endpoint: 'forex', scope: { base: 'EUR', quote: 'Q7' } });
  const selection = { from: '2010-01-01', to: '2015-12-31' };
  const times = [];
  for (let i = 0; i < 5000; i += 1) {
    const start = performance.now();
    await mirror.rows(series, selection, { limit: 20, offset: 0 });
    times.push(performance.now() - start);
  }
  mirror.close();
  return times.sort((a, b) => a - b)[2500] * 1000;
}

export default {
  name: 'mirror: 205,000 rows committed, vs bare inserts',
  goal: 2,
  run: () =>
    withFiles(async (path) => {
      const pages = makePages();
      const lists = pages.map(({ rows }, series) => ({ series, rows }));
      let last;
      const compared = await alternate({
        ours: () => {
          last = path();
          return commitAll(last, pages);
        },
        theirs: () => insertBare(path(), lists),
        rounds: 5,
        warmUps: 1,
      });
      const speed = (ms) => `${Math.round((SERIES * DAYS) / ms)} k rows/s`;
      const page = `a page of 20 rows in ${(await readPages(last)).toFixed(0)} us`;
      return { ...compared, detail: `${speed(compared.ours)} against ${speed(compared.theirs)}; ${page}` };
    }),
};
