// A sync of whole histories while the service answers at once: pages asked, read, checked, committed and proven, against
// one prepared better-sqlite3 insert of the same rows in as many transactions. The answers are texts that are made
// beforehand, so what is timed is ours.
import { createClient } from '../src/client/create.ts';
import { ENDPOINTS, MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/open.ts';
import { runSync } from '../src/sync/run.ts';
import { insertBare, NOW, platform, ratesOf, SERVICE, withFiles } from './mirror-support.mjs';
import { alternate, seeded } from './support.mjs';

const QUOTES = ['USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'NZD', 'SEK'];
const DAYS = 5000;
const PAGE = 100;

const passing = { reserve: async () => ({ answered: () => false, release() {}, lost() {} }) };

/** A service that keeps the rates of every pair and answers windows and offsets as they are asked. */
function serviceOf(histories) {
  const answers = new Map();
  return async (url) => {
    const { pathname, searchParams } = new URL(url);
    const known = answers.get(url) ?? answerTo(histories.get(pathname.split('/').at(-1)), searchParams);
    answers.set(url, known);
    return new Response(known, { headers: { 'content-type': 'application/json' } });
  };
}

function answerTo(rows, asked) {
  const [from, to] = [asked.get('start_date') ?? '0', asked.get('end_date') ?? '9'];
  const offset = Number(asked.get('offset') ?? 0);
  const window = rows.filter(({ value: { date } }) => date >= from && date <= to);
  const shown = window.slice(offset, offset + PAGE).map(({ text }) => text);
  const more = offset + shown.length < window.length;
  const pagination = {
    limit: PAGE,
    offset,
    returned_count: shown.length,
    total_count: window.length,
    has_more: more,
    next_offset: more ? offset + PAGE : null,
  };
  const head = JSON.stringify({ base: 'EUR', pagination, start_date: from, end_date: to });
  return `${head.slice(0, -1)},"data":[${shown.join(',')}]}`;
}

export async function syncAll(path, fetch, quotes = QUOTES) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE, key: 'k', gate: passing });
  const endpoint = ENDPOINTS.find(({ id }) => id === 'forex');
  const targets = quotes.map((quote) => ({ endpoint, args: { base: 'EUR', quote } }));
  const report = await runSync({ client, mirror, clock: platform.clock, targets });
  mirror.close();
  return report;
}

export default {
  name: 'sync: pages to committed rows, vs bare inserts of the rows',
  goal: 2.86,
  run: () =>
    withFiles(async (path) => {
      const random = seeded(7);
      const histories = new Map(QUOTES.map((quote) => [quote, ratesOf(DAYS, { random, last: NOW - 86_400_000 })]));
      const fetch = serviceOf(histories);
      const report = await syncAll(path(), fetch);
      const { added } = report.rows;
      if (added !== QUOTES.length * DAYS) throw new Error(`the sync brought ${added} rows: ${JSON.stringify(report)}`);
      const lists = [...histories.values()].flatMap((rows, series) =>
        Array.from({ length: DAYS / PAGE }, (_, page) => ({
          series,
          rows: rows.slice(page * PAGE, (page + 1) * PAGE),
        })),
      );
      const { oursMs, theirsMs, ratio } = await alternate({
        ours: () => syncAll(path(), fetch),
        theirs: () => insertBare(path(), lists),
        rounds: 5,
        warmUps: 1,
      });
      const speed = (ms) => `${Math.round(added / ms)} k rows/s`;
      return { ratio, detail: `${speed(oursMs)} against ${speed(theirsMs)}, ${report.requests} requests` };
    }),
};
