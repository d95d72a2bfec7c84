// A service of daily rates that answers windows and offsets at once, and a sync of all of it.
import { createClient } from '../src/client/create.ts';
import { ENDPOINTS, MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { runSync } from '../src/sync/run.ts';
import { platform, SERVICE } from './mirror-support.mjs';

export const PAGE = 100;

const passing = { reserve: async () => ({ answered: () => true, release() {}, lost() {} }) };

/** A page of the rows `{ text, value }` of a window, newest first, as the service would send it. */
export function answerTo(rows, asked) {
  const offset = Number(asked.get('offset') ?? 0);
  const shown = rows.slice(offset, offset + PAGE).map(({ text }) => text);
  const more = offset + shown.length < rows.length;
  const pagination = {
    limit: PAGE,
    offset,
    returned_count: shown.length,
    total_count: rows.length,
    has_more: more,
    next_offset: more ? offset + PAGE : null,
  };
  const { start_date, end_date } = Object.fromEntries(asked);
  const head = JSON.stringify({ base: 'EUR', pagination, start_date, end_date });
  return `${head.slice(0, -1)},"data":[${shown.join(',')}]}`;
}

/** A `fetch` over a function of the pair's quote and the query. */
export function fetchOver(answer) {
  return async (url) => {
    const { pathname, searchParams } = new URL(url);
    const text = answer(pathname.split('/').at(-1), searchParams);
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  };
}

/** Brings the whole history of EUR against each quote into a mirror. */
export async function syncAll(path, fetch, quotes) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE, key: 'k', gate: passing });
  const endpoint = ENDPOINTS.find(({ id }) => id === 'forex');
  const targets = quotes.map((quote) => ({ endpoint, args: { base: 'EUR', quote } }));
  const report = await runSync({ client, mirror, clock: platform.clock, targets });
  mirror.close();
  return report;
}
