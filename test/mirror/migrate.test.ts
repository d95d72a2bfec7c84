import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { mirrorFailure } from '../../src/mirror/sqlite/failures.ts';
import { migrate, readState } from '../../src/mirror/sqlite/migrate.ts';

const BIRTH = { id: 'a mirror', created: 0 };

it('a disk that is full while a mirror is made leaves an empty file, at whatever page', () => {
  const whole = new Database(':memory:');
  migrate(whole, 'm.db', BIRTH);
  const pages = Number(whole.pragma('page_count', { simple: true }));
  for (let most = 1; most < pages; most += 1) {
    const db = new Database(':memory:');
    db.pragma(`max_page_count = ${most}`);
    let failure: unknown;
    try {
      migrate(db, 'm.db', BIRTH);
    } catch (error) {
      failure = mirrorFailure('m.db', error);
    }
    expect([most, failure]).toMatchObject([most, { code: 'mirror_full' }]);
    expect([most, readState(db, 'm.db')]).toEqual([most, 'empty']);
    db.close();
  }
  whole.close();
});
