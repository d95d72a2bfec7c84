// What keeps the other core busy while `serve` answers: pages that are committed to its mirror as a sync does, or nothing but
// arithmetic. Told which by a message; started by serve-programs.mjs.
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { commitOf, platform, ratesOf } from './mirror-support.mjs';

const PAGE = 100;
const SERIES = 400;
/** Pages a second: the rate of a key, 300 requests a minute, four times over. */
const PAGES_A_SECOND = 20;

let work = 'nothing';
let committed = 0;

process.on('message', ({ path, busyWith, count }) => {
  if (path) void run(path);
  if (busyWith) work = busyWith;
  if (count) process.send({ committed });
});

async function run(path) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const rows = ratesOf(SERIES * PAGE);
  // The others of a bench tell a port; this one has none.
  process.send({ port: 0 });
  let next = performance.now();
  while (process.connected) {
    if (work === 'arithmetic') spin(20);
    const isDue = performance.now() >= next;
    if (work === 'sync' && isDue) {
      await mirror.commitPage(pageOf(rows, committed));
      committed += 1;
      next = Math.max(next + 1_000 / PAGES_A_SECOND, performance.now() - 100);
    }
    await new Promise((resolve) => setTimeout(resolve, work === 'arithmetic' ? 0 : 2));
  }
  mirror.close();
}

/** Pages of many series in turn; a page that comes again has other values. */
function pageOf(rows, place) {
  const series = place % SERIES;
  const round = Math.floor(place / SERIES);
  const page = rows.slice(series * PAGE, (series + 1) * PAGE).map(({ value }) => {
    const changed = { ...value, val: value.val + round, close: value.close + round };
    return { text: JSON.stringify(changed), value: changed };
  });
  return commitOf(`Q${series}`, page, { extent: 'adds' });
}

function spin(ms) {
  for (const end = performance.now() + ms; performance.now() < end; );
}
