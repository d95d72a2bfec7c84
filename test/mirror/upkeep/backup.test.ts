import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backupMirror } from '../../../src/mirror/sqlite/backup.ts';
import { freshFolder } from '../../support/platform.ts';
import { openHere } from '../children/world.ts';
import { page, rate, sql, testMirror } from '../support.ts';

const day = (i: number) => new Date(Date.UTC(2000, 0, 1 + i)).toISOString().slice(0, 10);

/** Rows enough for several steps of a copy. */
async function large() {
  const { mirror, path } = await testMirror();
  const rows = Array.from({ length: 5000 }, (_, i) => `{"date":"${day(i)}","val":1,"note":"${'x'.repeat(1000)}"}`);
  await mirror.commitPage(page(rows));
  return { mirror, path, target: join(freshFolder(), 'copy.db') };
}

describe('a backup', () => {
  test('is the mirror as it was when the copy began, while another goes on writing', async () => {
    const { mirror, path, target } = await large();
    const before = await mirror.verify();
    let written = 0;
    const onProgress = () => {
      written += 1;
      void mirror.commitPage(page([rate(`2030-01-0${written}`, written)]));
    };
    const report = await backupMirror({ path, target, replace: false, onProgress });
    expect(report).toEqual({ bytes: expect.any(Number), series: 1, commits: 1 });
    expect([written > 0, (await mirror.verify()).rows]).toEqual([true, before.rows + written]);
    const copy = await openHere(target);
    expect(await copy.verify()).toEqual(before);
    copy.close();
  });

  test('is one plain file', async () => {
    const { path, target } = await large();
    await backupMirror({ path, target, replace: false });
    expect(readdirSync(dirname(target))).toEqual(['copy.db']);
    expect(sql(target, 'pragma journal_mode')).toEqual([{ journal_mode: 'delete' }]);
  });

  test('that is stopped leaves nothing behind', async () => {
    const { path, target } = await large();
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error('enough'));
    await expect(backupMirror({ path, target, replace: false, onProgress, signal: stop.signal })).rejects.toThrow(
      'enough',
    );
    expect(readdirSync(dirname(target))).toEqual([]);
  });

  test.each([
    ['a file that is there', (target: string) => writeFileSync(target, 'mine'), false],
    ['a folder', (target: string) => mkdirSync(target), true],
    [
      'a database that is open',
      (target: string) => [target, `${target}-wal`].map((file) => writeFileSync(file, '')),
      true,
    ],
  ])('never takes the place of %s', async (_, occupy, replace) => {
    const { path, target } = await large();
    occupy(target);
    await expect(backupMirror({ path, target, replace })).rejects.toMatchObject({ kind: 'usage', code: 'bad_target' });
  });

  test('never takes the place of the mirror, and needs a folder', async () => {
    const { path, target } = await large();
    await expect(backupMirror({ path, target: path, replace: true })).rejects.toMatchObject({ kind: 'usage' });
    const deep = join(dirname(target), 'none', 'copy.db');
    await expect(backupMirror({ path, target: deep, replace: true })).rejects.toMatchObject({ kind: 'usage' });
    expect(existsSync(dirname(deep))).toBe(false);
  });

  test('takes the place of a file when that is wished for', async () => {
    const { mirror, path, target } = await large();
    writeFileSync(target, 'old');
    await backupMirror({ path, target, replace: true });
    const copy = await openHere(target);
    expect(await copy.verify()).toEqual(await mirror.verify());
    copy.close();
  });
});
