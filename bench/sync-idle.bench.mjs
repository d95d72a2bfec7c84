// A sync with nothing to do on 2,000 tracked announcement series: one request to the feed, every series renewed by it,
// against an empty Node. The service is a process of its own on loopback that has no news.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN_CURRENCIES } from '../src/contract/words/currencies.ts';
import { INDICATORS } from '../src/contract/words/indicators.ts';
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { startRatio, withHome } from './start-support.mjs';
import { seeded } from './support.mjs';

const SERIES = 2000;
const ROWS = 300;
const KEY = 'k-bench';
const ACCESS = `key:${createHash('sha256').update(KEY).digest('hex').slice(0, 12)}`;

const SERVICE = `
  const body = '{"data":[],"count":0,"next_cursor":"c1.MQ","has_more":false,"retention_seconds":604800}';
  const server = require('node:http').createServer((request, response) => {
    if (!request.url.startsWith('/v1/announcements/changes')) return response.writeHead(500).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
`;

/** Every indicator of every currency, and again in another frequency, up to the number. */
const SCOPES = [{}, { frequency: 'qoq' }]
  .flatMap((more) =>
    MAIN_CURRENCIES.flatMap((currency) => INDICATORS.map((indicator) => ({ currency, indicator, ...more }))),
  )
  .slice(0, SERIES);

const wordsOf = ({ currency, indicator, frequency }) =>
  `announcements ${currency} ${indicator}${frequency ? ` frequency=${frequency}` : ''}`.toLowerCase();

/** A home whose mirror holds every series whole and followed, as of a minute ago. */
async function fill(home, origin) {
  const now = Date.now() - 60_000;
  const tracks = SCOPES.map(wordsOf);
  writeFileSync(join(home, 'config.json'), JSON.stringify({ tracks, profiles: {} }));
  mkdirSync(join(home, 'mirrors'), { recursive: true });
  const random = { number: seeded(1), bytes: (count) => new Uint8Array(count) };
  const platform = { clock: { now: () => now, sleep: async () => {} }, random };
  const mirror = await openMirror({
    path: join(home, 'mirrors', 'default.db'),
    mappings: MAPPINGS,
    platform,
    mode: 'write',
  });
  const common = { nature: 'real', access: ACCESS, request: 'GET', extent: 'adds', at: now };
  const today = new Date(now).toISOString().slice(0, 10);
  for (const scope of SCOPES)
    await mirror.commitPage({
      ...common,
      series: { origin, endpoint: 'announcements', scope },
      question: wordsOf(scope),
      envelope: { text: JSON.stringify(scope), inputs: '' },
      rows: monthly(),
      proof: { from: '1900-01-01', to: today, rows: ROWS },
      follows: { checked: true },
    });
  const walk = { question: '', from: '', to: '', next: 'c1.MQ', seen: 0, seams: [], startedAt: now };
  const feed = { origin, endpoint: 'announcements_changes', scope: {} };
  await mirror.commitPage({ ...common, series: feed, question: 'changes', rows: [], walk });
  mirror.close();
}

function monthly() {
  return Array.from({ length: ROWS }, (_, i) => {
    const value = { date: new Date(Date.UTC(2026, -i, 0)).toISOString().slice(0, 10), val: i };
    return { text: JSON.stringify(value), value };
  });
}

async function withService(work) {
  const child = spawn(process.execPath, ['-e', SERVICE], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    child.kill();
  }
}

export default {
  name: 'sync: nothing to do on 2,000 announcement series vs node -e 0',
  // A second, where Node starts in 40 ms.
  goal: 25,
  run: () =>
    withService((origin) =>
      withHome(async (home) => {
        await fill(home, origin);
        process.env.MACRO_API_KEY = KEY;
        const words = ['sync', '--quiet', '--base-url', origin];
        return startRatio(words, home);
      }),
    ),
};
