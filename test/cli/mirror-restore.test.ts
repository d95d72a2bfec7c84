import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockSync } from '../../src/mirror/sqlite/lock.ts';
import { edit, sql } from '../mirror/support.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** A mirror with one day more than its backup. */
async function backedUp() {
  const at = testPlatform({ stdin: 'Date,USD,\n2026-11-19,1.1490,\n' });
  await macro('import ecb - --quiet', at);
  await macro('mirror backup copy.db --quiet', at);
  const stdin = {
    isTerminal: false,
    readBytes: async () => new TextEncoder().encode('Date,USD,\n2026-11-20,1.1502,\n2026-11-19,1.1490,\n'),
  };
  const later = { ...at, platform: { ...at.platform, io: { ...at.platform.io, stdin } } };
  await macro('import ecb - --quiet', later);
  return { at, path: join(at.folder, 'macro', 'mirrors', 'default.db') };
}

type World = Awaited<ReturnType<typeof backedUp>>['at'];
const rowsIn = async (at: World, more = '') =>
  (await macro(`mirror status --fields rows --no-header ${more}`, at)).out.trim();

describe('macro mirror restore', () => {
  it('puts a backup in the place of the mirror and keeps the one before it', async () => {
    const { at, path } = await backedUp();
    expect(await rowsIn(at)).toBe('2');
    const aside = `${path}.replaced-20261121T054613Z`;
    const { code, out } = await macro('mirror restore copy.db --yes --fields file,series,replaced', at);
    expect([code, out]).toEqual([0, `file\tseries\treplaced\n${path}\t1\t${aside}\n`]);
    expect([await rowsIn(at), await rowsIn(at, `--mirror ${aside}`)]).toEqual(['1', '2']);
    expect((await macro('mirror verify --quiet', at)).code).toBe(0);
  });

  it('counts the check of the backup as a check of the mirror', async () => {
    const { at, path } = await backedUp();
    edit(path, "delete from fx_daily where date = '2026-11-20'");
    expect((await macro('mirror verify --quiet', at)).code).toBe(9);
    expect((await macro('status --check', at)).out).toContain('macro altered');
    await at.clock.advance(60_000);
    await macro('mirror restore copy.db --yes --quiet', at);
    const { state, verified } = JSON.parse((await macro('status --check --format json', at)).out);
    expect([state, verified]).toEqual(['untracked', '2026-11-21T05:47:13Z']);
  });

  it.each([
    ['trigger', 'create trigger t after insert on commits begin delete from commits; end', 't'],
    ['view', 'create view other as select 1', 'other'],
    ['virtual table', 'create virtual table v using fts5(a)', 'v'],
  ])('refuses a backup with a %s of somebody else', async (what, statement, name) => {
    const { at } = await backedUp();
    edit(join(at.folder, 'copy.db'), statement);
    expect(await macro('mirror restore copy.db --yes', at)).toEqual({
      code: 9,
      out: '',
      err: `macro: The backup ${join(at.folder, 'copy.db')} has a ${what} that is not of a mirror: ${name}.\nRestore another backup. If the file is yours, drop it with the sqlite3 program first.\n`,
    });
    expect(await rowsIn(at)).toBe('2');
  });

  it('makes views anew that have the names of ours and say something else', async () => {
    const { at, path } = await backedUp();
    edit(join(at.folder, 'copy.db'), 'drop view v_fx; create view v_fx as select 9.9 as val');
    expect((await macro('mirror restore copy.db --yes --quiet', at)).code).toBe(0);
    expect(sql(path, 'select val from v_fx')).toEqual([{ val: 1.149 }]);
  });

  it('leaves a mirror with a log like any other, which is rebuilt and made compact', async () => {
    const { at, path } = await backedUp();
    expect(sql(join(at.folder, 'copy.db'), 'pragma journal_mode')).toEqual([{ journal_mode: 'delete' }]);
    expect((await macro('mirror restore copy.db --yes --quiet', at)).code).toBe(0);
    expect(sql(path, 'pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    // The backup itself stays one plain file.
    expect(sql(join(at.folder, 'copy.db'), 'pragma journal_mode')).toEqual([{ journal_mode: 'delete' }]);
    for (const work of ['rebuild', 'compact', 'verify'])
      expect((await macro(`mirror ${work} --quiet`, at)).code).toBe(0);
    expect(await rowsIn(at)).toBe('1');
  });

  it('replaces nothing without --yes, and needs none where no mirror is', async () => {
    const { at, path } = await backedUp();
    expect(await macro('mirror restore copy.db', at)).toMatchObject({ code: 2, out: '' });
    expect(await rowsIn(at)).toBe('2');
    at.platform.files.remove(path);
    expect((await macro('mirror restore copy.db --quiet', at)).code).toBe(0);
    expect(await rowsIn(at)).toBe('1');
  });

  it('takes the place of a mirror that is damaged', async () => {
    const { at, path } = await backedUp();
    at.platform.files.write(path, 'no database at all, whatever its name says'.repeat(40));
    expect((await macro('mirror restore copy.db --yes --quiet', at)).code).toBe(0);
    expect(await rowsIn(at)).toBe('1');
  });

  it('refuses a backup that was altered, and one that is none, and leaves the mirror alone', async () => {
    const { at } = await backedUp();
    edit(join(at.folder, 'copy.db'), "update fx_daily set text = replace(text, '1.149', '1.349'), val = 1.349");
    expect((await macro('mirror restore copy.db --yes', at)).code).toBe(9);
    at.platform.files.write(join(at.folder, 'none.db'), 'nothing of that kind '.repeat(90));
    expect((await macro('mirror restore none.db --yes', at)).code).toBe(8);
    expect((await macro('mirror restore gone.db --yes', at)).code).toBe(2);
    expect(await rowsIn(at)).toBe('2');
  });

  it('is exit 75 while a sync runs', async () => {
    const { at, path } = await backedUp();
    const lock = await lockSync(path, { runs: async () => [] });
    expect((await macro('mirror restore copy.db --yes --quiet', at)).code).toBe(75);
    await lock.release();
  });
});
