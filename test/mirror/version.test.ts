import { execFileSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { mirrorFailure } from '../../src/mirror/sqlite/failures.ts';
import { makeSystemTables, readState } from '../../src/mirror/sqlite/version.ts';
import { edit, testMirror } from './support.ts';

const BIRTH = { id: 'a mirror', created: 0 };

it('a disk that is full while a mirror is made leaves an empty file, at whatever page', () => {
  const whole = new Database(':memory:');
  makeSystemTables(whole, 'm.db', BIRTH);
  const pages = Number(whole.pragma('page_count', { simple: true }));
  for (let most = 1; most < pages; most += 1) {
    const db = new Database(':memory:');
    db.pragma(`max_page_count = ${most}`);
    let failure: unknown;
    try {
      makeSystemTables(db, 'm.db', BIRTH);
    } catch (error) {
      failure = mirrorFailure('m.db', error);
    }
    expect([most, failure]).toMatchObject([most, { code: 'mirror_full' }]);
    expect([most, readState(db, 'm.db')]).toEqual([most, 'empty']);
    db.close();
  }
  whole.close();
});

const INSERT = `insert into subscriptions (id, owner, url, currencies, since, created_at)
  values ('sub_a', 'me', 'https://a.test/', '["usd"]', 0, 0), ('sub_b', 'me', 'https://b.test/', null, 0, 0)`;

/** As SQLite judges a file before 3.42, where `json_valid(null)` is 0. */
function judged(path: string): unknown {
  const db = new Database(path);
  try {
    db.function('json_valid', { deterministic: true }, (text: unknown) => (text === null ? 0 : 1));
    return db.pragma('integrity_check', { simple: true });
  } finally {
    db.close();
  }
}

async function withSubscriptions() {
  const made = await testMirror();
  made.mirror.close();
  edit(made.path, INSERT);
  return made;
}

it('a new file with a filter that is left out holds in an old SQLite', async () => {
  const { path } = await withSubscriptions();
  expect(judged(path)).toBe('ok');
});

it('the sqlite3 program of this machine finds it whole', async ({ skip }) => {
  const { path } = await withSubscriptions();
  try {
    expect(execFileSync('sqlite3', [path, 'pragma integrity_check'], { encoding: 'utf8' })).toBe('ok\n');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') skip('no sqlite3 program here');
    throw error;
  }
});
