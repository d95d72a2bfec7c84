// What the rows about a steady day share: a mirror that holds 2,000 announcement series whole and follows them, and a service on
// loopback, a process of its own, whose feed names some of them.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN_CURRENCIES } from '../src/contract/words/currencies.ts';
import { INDICATORS } from '../src/contract/words/indicators.ts';
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { seeded } from './support.mjs';

export const SERIES = 2000;
export const KEY = 'k-bench';
const ROWS = 300;
const ACCESS = `key:${createHash('sha256').update(KEY).digest('hex').slice(0, 12)}`;

/** Every indicator of every currency, and again in another frequency, up to the number. */
const PAIRS = MAIN_CURRENCIES.flatMap((currency) => INDICATORS.map((indicator) => ({ currency, indicator })));
const SCOPES = [...PAIRS, ...PAIRS.map((pair) => ({ ...pair, frequency: 'qoq' }))].slice(0, SERIES);

const wordsOf = ({ currency, indicator, frequency }) =>
  `announcements ${currency} ${indicator}${frequency ? ` frequency=${frequency}` : ''}`.toLowerCase();

/** The series that changes name, so many: those that are held in one frequency alone, since a change names all of them. */
export function changedSeries(count) {
  const alone = PAIRS.slice(SERIES - PAIRS.length);
  if (count > alone.length) throw new Error(`only ${alone.length} series are held in one frequency`);
  return alone.slice(0, count);
}

/** Monthly rows, newest first: the last days of months, each known from the tenth day of the one behind it. */
function monthly(now) {
  const day = new Date(now);
  return Array.from({ length: ROWS }, (_, i) => {
    const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() - 1 - i];
    const date = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
    const value = { date, val: i, announcement_datetime: Date.UTC(year, month, 10, 13, 30) / 1000 };
    return { text: JSON.stringify(value), value };
  });
}

/** A home whose mirror held every series whole, and followed, `ageMs` ago. */
export async function fillHome(home, origin, ageMs) {
  const now = Date.now() - ageMs;
  const tracks = SCOPES.map(wordsOf);
  writeFileSync(join(home, 'config.json'), JSON.stringify({ tracks, profiles: {} }));
  mkdirSync(join(home, 'mirrors'), { recursive: true });
  const random = { number: seeded(1), bytes: (count) => new Uint8Array(count) };
  const platform = { clock: { now: () => now, sleep: async () => {} }, random };
  const path = join(home, 'mirrors', 'default.db');
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const common = { nature: 'real', access: ACCESS, request: 'GET', extent: 'adds', at: now };
  const today = new Date(now).toISOString().slice(0, 10);
  const rows = monthly(now);
  for (const scope of SCOPES)
    await mirror.commitPage({
      ...common,
      series: { origin, endpoint: 'announcements', scope },
      question: wordsOf(scope),
      envelope: { text: JSON.stringify(scope), inputs: '' },
      rows,
      proof: { from: '1900-01-01', to: today, rows: ROWS },
      follows: { checked: true },
    });
  const seconds = Math.floor(now / 1000);
  const paginationRun = { question: '', from: '', to: seconds, next: 'c1.MQ', seen: 0, seams: [], startedAt: now };
  const feed = { origin, endpoint: 'announcements_changes', scope: {} };
  await mirror.commitPage({ ...common, series: feed, question: 'changes', rows: [], paginationRun });
  mirror.close();
  return rows;
}

/**
 * The program of the service. It reads what it tells from a line of its input: the changes of its feed, and the rows that every
 * series has. It counts requests and tells their number, by path, when it is asked for `/requests`.
 */
const SERVICE = `
  let told = { changes: [], rows: [] };
  const requests = {};
  const feed = () => ({ data: told.changes, count: told.changes.length, next_cursor: 'c1.Mg', has_more: false, retention_seconds: 604800 });
  const page = (currency, indicator, query) => {
    const [from, to, offset, limit] = ['start_date', 'end_date', 'offset', 'limit'].map((name) => query.get(name));
    const rows = told.rows.filter(({ date }) => (!from || date >= from) && (!to || date <= to));
    const [first, most] = [Number(offset ?? 0), Number(limit ?? 100)];
    const data = rows.slice(first, first + most);
    const end = first + data.length;
    const hasMore = end < rows.length;
    const pagination = { limit: most, offset: first, returned_count: data.length, total_count: rows.length, has_more: hasMore, next_offset: hasMore ? end : null };
    return { currency, indicator, start_date: from, end_date: to, data, pagination };
  };
  const server = require('node:http').createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const send = (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/requests') return send(requests);
    requests[pathname] = (requests[pathname] ?? 0) + 1;
    const [, currency, indicator] = /^[/]v1[/]announcements[/]([^/]+)[/]([^/]+)$/.exec(pathname) ?? [];
    if (pathname === '/v1/announcements/changes') return send(feed());
    if (pathname === '/v1/ping') return send({ status: 'ok' });
    if (indicator) return send(page(currency, indicator, searchParams));
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"not here"}');
  });
  require('node:readline').createInterface({ input: process.stdin }).once('line', (line) => {
    told = JSON.parse(line);
    process.stdout.write('told');
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
`;

/** Calls `work` with the origin of a service and a function that tells it what it has. */
export async function withService(work) {
  const child = spawn(process.execPath, ['-e', SERVICE], { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = () => new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
  try {
    const origin = `http://127.0.0.1:${await said()}`;
    const tell = async (facts) => {
      const heard = said();
      child.stdin.write(`${JSON.stringify(facts)}\n`);
      await heard;
    };
    return await work(origin, tell);
  } finally {
    child.kill();
  }
}
