// What the rows about a steady day share: a mirror that holds 2,000 announcement series whole and follows them, and a service on
// loopback, a process of its own, whose feed names some of them.
import { spawn } from 'node:child_process';
import { fillAnnouncements, scopesOf } from './many-series.mjs';

export const SERIES = 2_000;
const ROWS = 300;
const SCOPES = scopesOf(SERIES);

/** The series that changes name, so many: those that are held in one frequency alone, since a change names all of them. */
export function changedSeries(count) {
  const again = SCOPES.filter(({ frequency }) => frequency !== undefined).length;
  const alone = SCOPES.slice(again, SERIES - again);
  if (count > alone.length) throw new Error(`only ${alone.length} series are held in one frequency`);
  return alone.slice(0, count);
}

/** A home whose mirror held every series whole, and followed, `ageMs` ago. Resolves to the rows of each. */
export function fillHome(home, origin, ageMs) {
  const alsoOf = (common) => {
    const to = Math.floor(common.at / 1_000);
    const walk = { question: '', from: '', to, next: 'c1.MQ', seen: 0, seams: [], startedAt: common.at };
    const feed = { origin, endpoint: 'announcements_changes', scope: {} };
    return { ...common, series: feed, question: 'changes', rows: [], walk };
  };
  return fillAnnouncements(home, SCOPES, { origin, rows: ROWS, ageMs, alsoOf });
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
