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

/** The answer with the quote that it was asked for. */
const withQuote = (text, quote) => text.replace('{', `{"quote":"${quote}",`);

/** A `fetch` over a function of the pair's quote and the query. */
export function fetchOver(answer) {
  return async (url) => {
    const { pathname, searchParams } = new URL(url);
    const quote = pathname.split('/').at(-1);
    const text = withQuote(answer(quote, searchParams), quote);
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  };
}

/** A `fetch` whose answers are bytes in memory, each made once by a function of the quote and the query. */
export function fetchKept(answer) {
  const kept = new Map();
  const headers = new Headers({ 'content-type': 'application/json' });
  return async (url) => {
    if (!kept.has(url)) {
      const { pathname, searchParams } = new URL(url);
      const quote = pathname.split('/').at(-1);
      kept.set(url, Buffer.from(withQuote(answer(quote, searchParams), quote)));
    }
    return { status: 200, ok: true, headers, body: { getReader: () => readerOf(kept.get(url)) } };
  };
}

function readerOf(bytes) {
  const steps = [{ done: false, value: bytes }];
  return { read: async () => steps.pop() ?? { done: true }, cancel: async () => {} };
}

/** Names of so many quotes; nobody looks whether there are such currencies. */
export function quoteNames(count) {
  const letter = (i) => String.fromCharCode(65 + i);
  return Array.from({ length: count }, (_, i) => `Q${letter(Math.floor(i / 26))}${letter(i % 26)}`);
}

/** Brings the whole history of EUR against each quote into a mirror. */
export async function syncAll(path, fetch, quotes) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE, key: 'k', limiter: passing });
  const endpoint = ENDPOINTS.find(({ id }) => id === 'forex');
  const targets = quotes.map((quote) => ({ endpoint, args: { base: 'EUR', quote } }));
  const report = await runSync({ client, mirror, clock: platform.clock, targets });
  mirror.close();
  return report;
}
