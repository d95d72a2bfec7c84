import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockSync } from '../../src/mirror/sqlite/lock.ts';
import { edit, sql } from '../mirror/support.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

async function imported() {
  const at = testPlatform({ stdin: 'Date,USD,\n2026-11-20,1.1502,\n2026-11-19,1.1490,\n' });
  await macro('import ecb - --quiet', at);
  return { at, path: join(at.folder, 'macro', 'mirrors', 'default.db') };
}

describe('macro mirror backup', () => {
  it('copies the mirror into a file that verifies', async () => {
    const { at } = await imported();
    const target = join(at.folder, 'copy.db');
    const { code, out, err } = await macro('mirror backup copy.db --fields file,series,commits', at);
    expect([code, out]).toEqual([0, `file\tseries\tcommits\n${target}\t1\t1\n`]);
    expect(err).toBe(`note: macro mirror verify --mirror ${target} checks every row of it.\n`);
    const hash = async (option: string) =>
      JSON.parse((await macro(`mirror verify --format json ${option}`, at)).out).hash;
    expect(await hash('--mirror copy.db')).toBe(await hash(''));
  });

  it('takes the place of a file under --yes alone', async () => {
    const { at } = await imported();
    await macro('mirror backup copy.db', at);
    const refused = await macro('mirror backup copy.db', at);
    expect([refused.code, refused.out, refused.err]).toEqual([
      2,
      '',
      `macro: ${join(at.folder, 'copy.db')} is there already.\nName another file, or replace it with --yes.\n`,
    ]);
    expect((await macro('mirror backup copy.db --yes', at)).code).toBe(0);
  });

  it('needs a mirror', async () => {
    expect((await macro('mirror backup copy.db')).code).toBe(3);
  });
});

describe('macro mirror compact', () => {
  it('says how large the file was and is', async () => {
    const { at, path } = await imported();
    const { code, out } = await macro('mirror compact --format ndjson', at);
    expect([code, JSON.parse(out)]).toEqual([0, { file: path, before: expect.any(Number), after: expect.any(Number) }]);
  });

  it.each(['compact', 'rebuild'])('and its like (%s) are exit 75 while a sync runs', async (verb) => {
    const { at, path } = await imported();
    const lock = await lockSync(path, { runs: async () => [] });
    expect(await macro(`mirror ${verb} --quiet`, at)).toMatchObject({ code: 75, out: '' });
    await lock.release();
    expect((await macro(`mirror ${verb} --quiet`, at)).code).toBe(0);
  });
});

describe('macro mirror rebuild', () => {
  it('makes columns anew from the texts', async () => {
    const { at, path } = await imported();
    edit(path, 'update fx_daily set val = 9');
    expect((await macro('mirror verify --quiet', at)).code).toBe(9);
    const { code, out } = await macro('mirror rebuild --quiet --no-header', at);
    expect([code, out]).toEqual([0, 'fx_daily\t2\nfx_daily_superseded\t0\n']);
    expect(sql(path, 'select val from fx_daily')).toEqual([{ val: 1.1502 }, { val: 1.149 }]);
    expect((await macro('mirror verify --quiet', at)).code).toBe(0);
  });

  it('needs a mirror', async () => {
    expect((await macro('mirror rebuild')).code).toBe(3);
  });
});
