// What the rows about the mirror share: rows of daily rates as the service sends them, commits of them, bare inserts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { nodeClock } from '../src/platform/node-clock.ts';
import { seeded } from './support.mjs';

/** The moment of all commits: 2026-11-21T00:00:00Z. */
export const NOW = 1_795_219_200_000;

export const SERVICE = 'https://bench.invalid';

export const platform = {
  // Nobody waits between two requests; what ends a request that hangs waits as ever.
  clock: { ...nodeClock, now: () => NOW, sleep: async () => {} },
  random: { number: seeded(1), bytes: (count) => new Uint8Array(count) },
};

/** Daily rates, newest first, as `{ text, value }`. */
export function ratesOf(days, { random = seeded(7), last = Date.UTC(2004, 0, 1 + days) } = {}) {
  return Array.from({ length: days }, (_, i) => {
    const date = new Date(last - i * 86_400_000).toISOString().slice(0, 10);
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
}

/** One commit of rows of a pair. */
export function commitOf(quote, rows, changes = {}) {
  return {
    series: { origin: SERVICE, endpoint: 'forex', scope: { base: 'EUR', quote } },
    nature: 'real',
    access: 'key:bench',
    request: 'GET /v1/forex',
    question: `forex ${quote}`,
    envelope: { text: '{}', inputs: 'all' },
    rows,
    extent: 'listed',
    at: NOW,
    ...changes,
  };
}

/** One prepared insert of the rows, a transaction for each list of them. */
export function insertBare(path, lists) {
  const db = new Database(path);
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = normal');
  db.exec(`create table rows (
    series integer, date text, val real, open real, high real, low real, close real, text text,
    primary key (series, date desc)) strict, without rowid`);
  const insert = db.prepare('insert into rows values (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const { series, rows } of lists)
    db.transaction(() => {
      for (const { text, value } of rows)
        insert.run(series, value.date, value.val, value.open, value.high, value.low, value.close, text);
    })();
  db.close();
}

/** Calls `work` with a maker of fresh paths; what it leaves behind is removed. */
export async function withFiles(work) {
  const folder = mkdtempSync(join(tmpdir(), 'macro-bench-'));
  let made = 0;
  try {
    return await work(() => {
      made += 1;
      return join(folder, `${made}.db`);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
