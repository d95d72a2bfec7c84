// Pages already in memory to committed rows, with revisions, proof and ledger, against one prepared better-sqlite3 insert
// of the same rows in as many transactions. 41 series of 5,000 days each, newest first, as the service sends them.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/open.ts';
import { alternate, seeded } from './support.mjs';

const SERIES = 41;
const DAYS = 5000;

const platform = {
  clock: { now: () => 1_795_219_200_000, sleep: async () => {} },
  random: { number: seeded(1), bytes: (count) => new Uint8Array(count) },
};

function makePages() {
  const random = seeded(7);
  return Array.from({ length: SERIES }, (_, series) => {
    const rows = Array.from({ length: DAYS }, (_, i) => {
      const date = new Date(Date.UTC(2004, 0, DAYS - i)).toISOString().slice(0, 10);
      const [open, close] = [1 + random(), 1 + random()];
      const value = {
        date,
        val: close,
        observation_datetime: Date.parse(date) / 1000,
        source: { source_pair: 'EURUSD', is_derived: false },
        open,
        high: Math.max(open, close),
        low: Math.min(open, close),
        close,
      };
      return { text: JSON.stringify(value), value };
    });
    return {
      series: { origin: 'https://bench.invalid', endpoint: 'forex', scope: { base: 'EUR', quote: `Q${series}` } },
      nature: 'real',
      access: 'key:bench',
      request: 'GET /v1/forex',
      question: `forex ${series}`,
      envelope: { text: '{}', inputs: 'all' },
      rows,
      extent: 'listed',
      proof: { from: '2004-01-01', to: '2024-01-01', rows: rows.length },
      at: 1_795_219_200_000,
    };
  });
}

function insertBare(path, pages) {
  const db = new Database(path);
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = normal');
  db.exec(`create table rows (
    series integer, date text, val real, open real, high real, low real, close real, text text,
    primary key (series, date desc)) strict, without rowid`);
  const insert = db.prepare('insert into rows values (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const [series, { rows }] of pages.entries())
    db.transaction(() => {
      for (const { text, value } of rows)
        insert.run(series, value.date, value.val, value.open, value.high, value.low, value.close, text);
    })();
  db.close();
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
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'macro-bench-'));
    try {
      const pages = makePages();
      const textBytes = pages.flatMap(({ rows }) => rows).reduce((sum, { text }) => sum + text.length, 0);
      let made = 0;
      const path = () => {
        made += 1;
        return join(folder, `${made}.db`);
      };
      const { oursMs, theirsMs, ratio } = await alternate({
        ours: () => commitAll(path(), pages),
        theirs: () => insertBare(path(), pages),
        rounds: 5,
        warmUps: 1,
      });
      const last = join(folder, `${made - 1}.db`);
      const speed = (ms) => `${Math.round((SERIES * DAYS) / ms)} k rows/s`;
      const detail =
        `${speed(oursMs)} against ${speed(theirsMs)}; ${(statSync(last).size / textBytes).toFixed(2)} bytes a byte of ` +
        `row text; a page of 20 rows in ${(await readPages(last)).toFixed(0)} us`;
      return { ratio, detail };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
