import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { mirrorFailure, translating } from '../../src/mirror/sqlite/failures.ts';

const SRC = join(import.meta.dirname, '../../src');

/** Result codes: https://www.sqlite.org/rescode.html */
describe('an error of SQLite', () => {
  it.each([
    'no such table: rates',
    'no such column: val',
    'table rates has no column named val',
    'error in view v_fx: no such table: main.rates',
    'malformed database schema (v_fx)',
  ])('%s is damage: the statements of this program fit its tables', (message) => {
    const error = new Database.SqliteError(message, 'SQLITE_ERROR');
    expect(mirrorFailure('rates.db', error)).toMatchObject({ kind: 'mirror', code: 'mirror_damaged', cause: error });
  });

  it.each([
    ['SQLITE_BUSY', 'mirror_locked'],
    ['SQLITE_BUSY_SNAPSHOT', 'mirror_locked'],
    ['SQLITE_LOCKED_SHAREDCACHE', 'mirror_locked'],
    ['SQLITE_PROTOCOL', 'mirror_locked'],
    ['SQLITE_FULL', 'mirror_full'],
    ['SQLITE_CORRUPT_VTAB', 'mirror_damaged'],
    ['SQLITE_NOTADB', 'mirror_foreign'],
    ['SQLITE_READONLY_DBMOVED', 'mirror_unusable'],
    ['SQLITE_CANTOPEN_ISDIR', 'mirror_unusable'],
    ['SQLITE_IOERR_WRITE', 'mirror_unusable'],
  ])('%s is %s', (code, expected) => {
    const own = new Database.SqliteError('as SQLite says it', code);
    // Of a second copy of the driver, whose class is another one.
    const foreign = Object.assign(new Error('as SQLite says it'), { code });
    for (const error of [own, foreign])
      expect(mirrorFailure('rates.db', error)).toMatchObject({ kind: 'mirror', code: expected, cause: error });
  });

  it('is known by its code alone, in all sources', () => {
    const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    expect(sources.filter((name) => /\bSqliteError\b/.test(readFileSync(join(SRC, name), 'utf8')))).toEqual([]);
  });

  it('of another kind is a bug, and given back as it is', () => {
    const error = new Database.SqliteError('near "form": syntax error', 'SQLITE_ERROR');
    expect(mirrorFailure('rates.db', error)).toBe(error);
  });
});

it('the disk that is full when a file grows is told from a file that is locked', () => {
  const db = new Database(':memory:');
  db.exec('create table rows (text)');
  db.pragma('max_page_count = 3');
  const grow = () => db.prepare('insert into rows values (?)').run('x'.repeat(100_000));
  expect(() => translating('rates.db', grow)).toThrow(expect.objectContaining({ code: 'mirror_full' }));
});
