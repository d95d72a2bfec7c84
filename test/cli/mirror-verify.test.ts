import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { edit } from '../mirror/support.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const RATES = 'Date,USD,JPY,\n2026-11-20,1.1502,178.20,\n2026-11-19,1.1490,N/A,\n';

async function imported(): Promise<{ at: TestPlatform; path: string }> {
  const at = testPlatform({ stdin: RATES });
  await macro('import ecb - --quiet', at);
  return { at, path: join(at.folder, 'macro', 'mirrors', 'default.db') };
}

describe('macro mirror verify', () => {
  it('says that a mirror holds, what was checked, and the hash of the content', async () => {
    const { at } = await imported();
    const { code, out, err } = await macro('mirror verify --format json', at);
    const message = '2 series with 3 rows hold: every row is as it was received.';
    expect([code, JSON.parse(err)]).toEqual([0, { level: 'note', code: 'verified', message }]);
    expect(JSON.parse(out)).toEqual({
      mirror: join(at.folder, 'macro', 'mirrors', 'default.db'),
      series: 2,
      rows: 3,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      problems: 0,
      notes: 0,
      data: [],
    });
  });

  it('says of a copy what it found in the copy, and nothing of the mirror', async () => {
    const { at, path } = await imported();
    await macro('track add import ecb --quiet', at);
    await macro('mirror backup copy.db --quiet', at);
    const told = async (mirror: string) =>
      JSON.parse((await macro(`status --check --format json --mirror ${mirror}`, at)).out).verified;
    expect((await macro('mirror verify --quiet --mirror copy.db', at)).code).toBe(0);
    expect([await told('copy.db'), await told(path)]).toEqual(['2026-11-21T05:46:13Z', null]);
    edit(join(at.folder, 'copy.db'), "delete from fx_daily where date = '2026-11-19'");
    expect((await macro('mirror verify --quiet --mirror copy.db', at)).code).toBe(9);
    expect((await macro('status --check --mirror copy.db', at)).code).toBe(9);
    expect((await macro('status --check', at)).out).not.toContain('altered');
  });

  it('names the series and the row that was altered, and is exit 9', async () => {
    const { at, path } = await imported();
    edit(path, "update fx_daily set text = replace(text, '1.149', '1.349'), val = 1.349 where date = '2026-11-19'");
    expect(await macro('mirror verify --format csv', at)).toEqual({
      code: 9,
      out:
        'level,series,row,finding,detail\n' +
        'problem,fx eur usd,2026-11-19,altered,the current row is not as it was received\n',
      err:
        `macro: The mirror ${path} is not as it was written: fx eur usd.\n` +
        'Rely on none of it: restore a backup, or bring the series into a new file with macro sync --mirror FILE.\n',
    });
    expect((await macro('mirror verify fx jpy', at)).code).toBe(0);
  });

  it('is exit 3 for series that are not held, and without a mirror', async () => {
    const { at } = await imported();
    expect((await macro('mirror verify fx gbp', at)).code).toBe(3);
    expect((await macro('mirror verify')).code).toBe(3);
  });

  it('notes what was confirmed longer ago than it stays fresh, which is no failure', async () => {
    const { at } = await imported();
    await at.clock.advance(30 * 86_400_000);
    const { code, out } = await macro('mirror verify --quiet', at);
    expect([code, out]).toEqual([
      0,
      'level\tseries\trow\tfinding\tdetail\n' +
        'note\tfx\t\tstale\t2 of 2 series may have changed since; last confirmed 2026-11-21T05:46:13Z at the earliest\n',
    ]);
  });

  it('takes a feed, which is fresh at no time, for no alarm', async () => {
    const body = { data: [], count: 0, next_cursor: 'c1.x', has_more: false };
    const at = testPlatform({ fetch: async () => Response.json(body), env: { MACRO_BASE_URL: 'https://svc.example' } });
    await macro('announcements changes', at);
    await at.clock.advance(1000);
    expect(await macro('mirror verify --format csv', at)).toEqual({
      code: 0,
      out: 'level,series,row,finding,detail\n',
      err: 'note: 1 series with 0 rows hold: every row is as it was received.\n',
    });
  });

  it('is exit 8 for a file that is damaged', async () => {
    const { at, path } = await imported();
    const db = new Database(path, { readonly: true });
    const page = Number(db.prepare("select rootpage from sqlite_schema where name = 'fx_daily'").pluck().get());
    const size = Number(db.pragma('page_size', { simple: true }));
    db.close();
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(100, 255), 0, 100, (page - 1) * size);
    closeSync(file);
    const { code, out } = await macro('mirror verify', at);
    expect([code, out]).toEqual([8, '']);
  });
});
