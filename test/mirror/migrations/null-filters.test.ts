import { execFileSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { edit, sql, testMirror } from '../support.ts';

const INSERT = `insert into subscriptions (id, owner, url, currencies, since, created_at)
  values ('sub_a', 'me', 'https://a.test/', '["usd"]', 0, 0), ('sub_b', 'me', 'https://b.test/', null, 0, 0)`;

/** The checks as the seventh version had them. */
const SEVENTH = ['currencies', 'indicators']
  .map(
    (name) => `alter table subscriptions rename column ${name} to before;
      alter table subscriptions add column ${name} text check (json_valid(${name}));
      update subscriptions set ${name} = before;
      alter table subscriptions drop column before;`,
  )
  .join('\n');

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

it('a file of the seventh version is made to, with what it holds', async () => {
  const { path, again } = await withSubscriptions();
  edit(path, (db) => {
    db.exec(SEVENTH);
    db.exec('alter table proofs drop column skipped');
    db.exec('alter table runs drop column failed');
    db.exec(`insert into deliveries (id, subscription, event, body, created_at) values ('d', 'sub_b', 'e', '{}', 0)`);
    db.pragma('user_version = 7');
  });
  expect(judged(path)).toBe('CHECK constraint failed in subscriptions');
  (await again()).close();
  expect(judged(path)).toBe('ok');
  expect(sql(path, 'select id, currencies, indicators from subscriptions order by id')).toEqual([
    { id: 'sub_a', currencies: '["usd"]', indicators: null },
    { id: 'sub_b', currencies: null, indicators: null },
  ]);
  expect(sql(path, 'select id, subscription from deliveries')).toEqual([{ id: 'd', subscription: 'sub_b' }]);
  expect(() => edit(path, `update subscriptions set indicators = 'no JSON'`)).toThrow('CHECK constraint failed');
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
