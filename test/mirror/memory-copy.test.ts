import { chmodSync, copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { MIDNIGHT, page, rate, testMirror, texts } from './support.ts';

const rows = [rate('2026-11-20', 1.15), rate('2026-11-19', 1.16)];
const { platform } = testPlatform({ now: MIDNIGHT });

/** A mirror with a log as its journal, in a folder in which no file can be made beside it. */
async function sealed(): Promise<string> {
  const { mirror, path } = await testMirror();
  await mirror.commitPage(page(rows));
  mirror.close();
  const copy = join(freshFolder(), 'mirror.db');
  copyFileSync(path, copy);
  // Permissions hold nobody back who is root; a name that leads nowhere does.
  symlinkSync('/nowhere/at/all', `${copy}-shm`);
  return copy;
}

const open = (path: string, mode: 'read' | 'write' = 'read') =>
  openMirror({ path, mappings: MAPPINGS, platform, mode, busyTimeout: 0 });

describe('a mirror where nothing can be written', () => {
  test('is read, alone and in a snapshot, and verified', async () => {
    const mirror = await open(await sealed());
    onTestFinished(() => mirror.close());
    expect(await texts(mirror)).toEqual(rows);
    expect(await mirror.snapshot(texts)).toEqual(rows);
    expect(await Promise.all([mirror.snapshot(texts), mirror.snapshot(texts)])).toEqual([rows, rows]);
    expect((await mirror.verify()).findings).toEqual([]);
  });

  test('is refused with what to do while its log holds commits, which the file alone does not have', async () => {
    const path = await sealed();
    writeFileSync(`${path}-wal`, 'commits');
    await expect(open(path)).rejects.toMatchObject({
      kind: 'mirror',
      message: `The mirror ${path} cannot be read where nothing can be written: a program that writes it has commits in its log.`,
      hint: expect.stringContaining('macro mirror backup FILE'),
    });
  });

  test('cannot be written', async () => {
    await expect(open(await sealed(), 'write')).rejects.toMatchObject({ kind: 'mirror', code: 'mirror_unusable' });
  });

  test.skipIf(process.getuid?.() === 0)('is so by the permissions of its folder', async () => {
    const { mirror, path } = await testMirror();
    await mirror.commitPage(page(rows));
    mirror.close();
    const folder = freshFolder();
    const copy = join(folder, 'mirror.db');
    copyFileSync(path, copy);
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));
    const reader = await open(copy);
    onTestFinished(() => reader.close());
    expect(await texts(reader)).toEqual(rows);
  });
});

test('a folder that is named as a mirror is no mirror', async () => {
  await expect(open(freshFolder())).rejects.toMatchObject({ kind: 'mirror', code: 'mirror_unusable' });
});
