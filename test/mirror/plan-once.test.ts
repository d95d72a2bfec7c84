import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, test } from 'vitest';
import { connectForUpkeep } from '../../src/mirror/sqlite/compact.ts';
import {
  connectForQuery,
  connectForReading,
  connectForSnapshot,
  connectForWriting,
} from '../../src/mirror/sqlite/connect.ts';
import { plannedOnce } from '../../src/mirror/sqlite/database-file.ts';
import { testPlatform } from '../support/platform.ts';

describe('a statement that is planned once', () => {
  it.each([
    ['select a from t where b = ? and c=?', 'select a from t where b = +? and c=?'],
    ['select a from t where b is ? or c is not ?', 'select a from t where b is +? or c is not +?'],
    ['select a from t where b >= ? and b <= ?', 'select a from t where b >= +? and b <= +?'],
    ['select a from t LIMIT ? OFFSET ?', 'select a from t LIMIT +? OFFSET +?'],
    ['update t set a = ? where b = ?', 'update t set a = +? where b = +?'],
    ['insert into t values (?, ?)', 'insert into t values (?, ?)'],
    ['select 1 where a in (?, ?) and b > ?', 'select 1 where a in (?, ?) and b > ?'],
    [`select ' = ?' as " = ?", 'it''s = ?' where a = ?`, `select ' = ?' as " = ?", 'it''s = ?' where a = +?`],
    ['select a from t where this ? and unlimited ?', 'select a from t where this ? and unlimited ?'],
  ])('%s', (sql, planned) => {
    expect(plannedOnce(sql)).toBe(planned);
  });
});

describe('connections', () => {
  const ASKED = 'select 1 where 1 = ?';
  test('plan once what the mirror asks, and leave alone what a person typed', () => {
    const path = join(testPlatform().folder, 'mirror.db');
    const sources = [
      connectForWriting(path, { id: 'a', created: 0 }, 0),
      connectForReading(path, 0),
      connectForSnapshot(path, 0),
      connectForUpkeep(path),
      connectForQuery(path, 0),
    ].map((db) => {
      const { source } = db.prepare(ASKED);
      db.close();
      return source;
    });
    const planned = 'select 1 where 1 = +?';
    expect(sources).toEqual([planned, planned, planned, planned, ASKED]);
  });
});

describe('a plus before a parameter', () => {
  const VALUES = [
    0,
    1,
    1.0,
    2,
    -1,
    1.5,
    10n,
    9_007_199_254_740_993n,
    '',
    '1',
    '1.0',
    '01',
    'a',
    Buffer.from('1'),
    null,
  ];
  const TYPES = ['integer', 'real', 'text', 'blob', 'any'];
  const SELECTS = TYPES.flatMap((type) =>
    ['=', '>=', '<=', 'is', 'is not'].map(
      (compares) => `select id from stored where c_${type} ${compares} ? order by id`,
    ),
  );
  const db = new Database(':memory:');
  const strict = TYPES.map((type) => `c_${type} ${type}`).join(', ');
  db.exec(`create table stored (id integer primary key, ${strict}) strict`);
  for (const type of TYPES) {
    db.exec(`create index by_${type} on stored (c_${type})`);
    const insert = db.prepare(`insert or ignore into stored (c_${type}) values (?)`);
    for (const value of VALUES) {
      try {
        insert.run(value);
      } catch {
        // A strict column takes no value of another type.
      }
    }
  }

  it.each(SELECTS)('finds the same rows: %s', (sql) => {
    const found = (text: string) => VALUES.map((value) => db.prepare(text).pluck().all(value));
    expect(found(plannedOnce(sql))).toEqual(found(sql));
  });

  it('reads the same way', () => {
    const plan = (text: string) => db.prepare(`explain query plan ${text}`).all(0);
    expect(SELECTS.map((sql) => plan(plannedOnce(sql)))).toEqual(SELECTS.map(plan));
  });

  it('stores the same value and type', () => {
    db.exec('create table kept (id integer primary key, value any)');
    db.exec('insert into kept (id, value) values (1, null)');
    const stored = (text: string) =>
      VALUES.map((value) => {
        db.prepare(text).run(value, 1);
        return db.prepare('select typeof(value), quote(value) from kept').raw().get();
      });
    const set = 'update kept set value = ? where id = ?';
    expect(stored(plannedOnce(set))).toEqual(stored(set));
  });

  it('bounds the same rows', () => {
    const page = 'select id from stored order by id limit ? offset ?';
    const pages = (text: string) =>
      [
        [0, 0],
        [3, 0],
        [3, 2],
        [-1, 4],
        [1000, 1],
      ].map(([limit, offset]) => db.prepare(text).pluck().all(limit, offset));
    expect(pages(plannedOnce(page))).toEqual(pages(page));
  });
});
