import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import type { AnswerCommit, PageCommit } from '../../src/mirror/api/page-commit.ts';
import { freshFolder } from '../support/platform.ts';
import { openHere } from './children/world.ts';
import { INFLATION, MIDNIGHT, page, sql, walkOver } from './support.ts';

const writer = join(import.meta.dirname, 'children', 'write.ts');

/** A walk of two pages, then a revision and a row that vanished: every kind of statement. */
function scenario(): readonly PageCommit[] {
  const answer = (date: string, val: number) =>
    `{"date":"${date}","val":${val},"announcement_datetime":1,"revisions":[{"epoch":1,"val":${val}}]}`;
  const told = (n: number): Partial<AnswerCommit> => ({
    series: INFLATION,
    extent: 'listed',
    etag: `"${n}"`,
    envelope: { text: asJsonText(`{"page":${n}}`), inputs: 'q' },
    at: MIDNIGHT + n,
  });
  const covered = { from: '2025-01-01', to: '2026-12-31', rows: 3 };
  return [
    page([answer('2026-10-31', 3), answer('2026-09-30', 2)], {
      ...told(1),
      walk: walkOver('2025-01-01', '2026-12-31', 2),
    }),
    page([answer('2026-08-31', 1)], {
      ...told(2),
      walk: null,
      covered,
      seams: [[['2026-09-30'], ['2026-08-31']]],
    }),
    page([answer('2026-10-31', 3.1), answer('2026-08-31', 1)], { ...told(3), walk: null, covered }),
  ];
}

/** Everything in the file but its random identity. */
function contentOf(path: string): Record<string, unknown[]> {
  const tables = sql(path, "select name from sqlite_schema where type = 'table' order by name") as { name: string }[];
  return Object.fromEntries(
    tables
      .filter(({ name }) => name !== 'mirror')
      .map(({ name }) => [name, sql(path, `select * from "${name}" order by 1, 2`)]),
  );
}

/**
 * Runs work and copies the files of the mirror before each statement that writes, begins or ends a transaction: exactly
 * what a program that is killed at that point leaves behind. Answers the copies in order.
 */
async function leftBehind(path: string, work: () => Promise<void>): Promise<readonly string[]> {
  const copies: string[] = [];
  const keep = () => {
    const copy = `${path}.${copies.length}`;
    // Without the `-shm` file, which a next program makes anew.
    for (const end of ['', '-wal', '-journal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    copies.push(copy);
  };
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('begin'));
  const { run } = statement;
  const { exec } = Database.prototype;
  statement.run = function (...values: unknown[]) {
    keep();
    return run.apply(this, values);
  };
  Database.prototype.exec = function (source) {
    keep();
    return exec.call(this, source);
  };
  try {
    await work();
  } finally {
    statement.run = run;
    Database.prototype.exec = exec;
  }
  return copies;
}

describe('a program that is killed', () => {
  test('before any statement loses at most the page in flight: run again, the mirror is as if nothing had happened', async () => {
    const path = join(freshFolder(), 'mirror.db');
    const copies = await leftBehind(path, async () => {
      const mirror = await openHere(path);
      for (const commit of scenario()) await mirror.commitPage(commit);
      mirror.close();
    });
    const expected = contentOf(path);
    expect(expected.announcements).toHaveLength(2);
    expect(expected.announcements_superseded).toHaveLength(2);
    const reached = new Set<unknown>();
    for (const [i, copy] of copies.entries()) {
      const mirror = await openHere(copy);
      expect(sql(copy, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      const [done] = sql(copy, 'select count(*) as n from commits') as { n: number }[];
      reached.add(done?.n);
      for (const commit of scenario().slice(done?.n)) await mirror.commitPage(commit);
      mirror.close();
      expect(contentOf(copy), `killed before statement ${i}`).toEqual(expected);
    }
    expect([...reached]).toEqual([0, 1, 2]);
    expect(copies.length).toBeGreaterThan(40);
  });

  test('between the pages of one transaction has all of them or none', async () => {
    const path = join(freshFolder(), 'mirror.db');
    const copies = await leftBehind(path, async () => {
      const mirror = await openHere(path);
      await mirror.commitPages(scenario());
      mirror.close();
    });
    const reached = new Set<unknown>();
    for (const copy of copies) {
      (await openHere(copy)).close();
      const [done] = sql(copy, 'select count(*) as n from commits') as { n: number }[];
      reached.add(done?.n);
    }
    expect([...reached]).toEqual([0]);
    expect(contentOf(path).commits).toHaveLength(3);
  });

  test('at any moment leaves a sound file with whole commits only', async () => {
    const folder = freshFolder();
    const commits = join(folder, 'commits.json');
    const rows = (n: number) =>
      Array.from(
        { length: 50 },
        (_, i) => `{"date":"${new Date(Date.UTC(2000, 0, i)).toISOString().slice(0, 10)}","val":${n}}`,
      );
    writeFileSync(commits, JSON.stringify(Array.from({ length: 5000 }, (_, n) => page(rows(n)))));
    for (const patience of [1, 60]) {
      const path = join(folder, `killed-${patience}.db`);
      const child = spawn(process.execPath, [writer, path, commits]);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await commitsReach(path, patience);
      child.kill('SIGKILL');
      await ended;
      expect(sql(path, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      const last = (sql(path, 'select max(number) as n from commits') as { n: number }[])[0]?.n ?? 0;
      expect(last).toBeGreaterThanOrEqual(patience);
      expect(sql(path, 'select distinct val, seen from fx_daily')).toEqual([{ val: last - 1, seen: last }]);
      expect(sql(path, 'select count(*) as n from fx_daily_superseded')).toEqual([{ n: 50 * (last - 1) }]);
    }
  }, 60_000);
});

/** Waits, by looking, until a mirror that another process writes has so many commits. */
async function commitsReach(path: string, count: number): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!existsSync(path)) continue;
    try {
      const [found] = sql(path, 'select count(*) as n from commits') as { n: number }[];
      if ((found?.n ?? 0) >= count) return;
    } catch {
      // The file is being made.
    }
  }
}
