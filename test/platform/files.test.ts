import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { nodeFiles } from '../../src/platform/node-files.ts';
import { freshFolder } from '../support/platform.ts';

describe('files', () => {
  test('a growing file is seen under its name only when it is whole', () => {
    const folder = freshFolder();
    const path = join(folder, 'rows.csv');
    nodeFiles.write(path, 'before\n');
    const given = nodeFiles.grow(path);
    given.write(new TextEncoder().encode('a,b\n'));
    given.discard();
    expect([nodeFiles.readText(path), readdirSync(folder)]).toEqual(['before\n', ['rows.csv']]);
    const file = nodeFiles.grow(path);
    for (const piece of ['a,b\n', '1,2\n']) file.write(new TextEncoder().encode(piece));
    expect(nodeFiles.readText(path)).toBe('before\n');
    file.finish();
    file.discard();
    expect([nodeFiles.readText(path), readdirSync(folder)]).toEqual(['a,b\n1,2\n', ['rows.csv']]);
  });

  test('a written file can be read back, as text and as bytes', () => {
    const path = join(freshFolder(), 'note.txt');
    nodeFiles.write(path, 'déjà vu\n');
    expect(nodeFiles.readText(path)).toBe('déjà vu\n');
    expect([...nodeFiles.readBytes(path)]).toEqual([...new TextEncoder().encode('déjà vu\n')]);
  });

  test('writing again replaces the content and leaves nothing beside it', () => {
    const folder = freshFolder();
    nodeFiles.write(join(folder, 'a'), 'first, and longer');
    nodeFiles.write(join(folder, 'a'), new TextEncoder().encode('second'));
    expect(nodeFiles.readText(join(folder, 'a'))).toBe('second');
    expect(nodeFiles.list(folder)).toEqual(['a']);
  });

  test('a private file is 0600 from its first byte, whatever it replaces', () => {
    const path = join(freshFolder(), 'key');
    nodeFiles.write(path, 'open', 0o644);
    nodeFiles.write(path, 'secret', 0o600);
    expect(nodeFiles.mode(path)).toBe(0o600);
  });

  test('a file keeps its permissions when it is replaced without a mode', () => {
    const path = join(freshFolder(), 'key');
    nodeFiles.write(path, 'one', 0o640);
    nodeFiles.write(path, 'two');
    expect(nodeFiles.mode(path)).toBe(0o640);
  });

  test.skipIf(process.platform === 'win32')('a pipe stays a pipe and hands on what is written', async () => {
    const folder = freshFolder();
    const path = join(folder, 'pipe');
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    const reader = spawn('cat', [path]);
    const read: string[] = [];
    reader.stdout.on('data', (text) => read.push(String(text)));
    const ended = new Promise((resolve) => reader.once('close', resolve));
    nodeFiles.write(path, 'date,val\n');
    await ended;
    expect([read.join(''), lstatSync(path).isFIFO(), nodeFiles.list(folder)]).toEqual(['date,val\n', true, ['pipe']]);
  });

  test('a folder is not written into', () => {
    expect(() => nodeFiles.write(freshFolder(), 'x')).toThrow(/^Cannot write .*: it is a folder\.$/);
  });

  test('a link stays a link, and what it points at is replaced', () => {
    const folder = freshFolder();
    nodeFiles.write(join(folder, 'real'), 'one');
    symlinkSync('real', join(folder, 'link'));
    nodeFiles.write(join(folder, 'link'), 'two');
    expect(readlinkSync(join(folder, 'link'))).toBe('real');
    expect(nodeFiles.readText(join(folder, 'real'))).toBe('two');
  });

  test('a write that fails leaves the old content and no rest', () => {
    const folder = freshFolder();
    mkdirSync(join(folder, 'taken', 'inner'), { recursive: true });
    expect(() => nodeFiles.write(join(folder, 'taken'), 'x')).toThrow(MacroError);
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  test('folders are made with their parents and their mode, and removed with their content', () => {
    const folder = freshFolder();
    nodeFiles.makeFolder(join(folder, 'a', 'b'), 0o700);
    expect(nodeFiles.mode(join(folder, 'a', 'b'))).toBe(0o700);
    nodeFiles.makeFolder(join(folder, 'a', 'b'), 0o700);
    nodeFiles.remove(join(folder, 'a'));
    expect(nodeFiles.exists(join(folder, 'a'))).toBe(false);
    expect(() => nodeFiles.remove(join(folder, 'a'))).not.toThrow();
  });

  test('a missing file is said in words, with the system word as code', () => {
    const path = join(freshFolder(), 'nowhere.csv');
    expect(nodeFiles.mode(path)).toBeUndefined();
    expect(() => nodeFiles.readText(path)).toThrow(
      expect.objectContaining({
        kind: 'usage',
        code: 'ENOENT',
        message: `Cannot read ${path}: there is no such file or folder.`,
      }),
    );
  });

  // A user namespace of its own has a read-only disk, where the system allows one.
  const READ_ONLY = 'mount -t tmpfs -o ro tmpfs "$1" && exec "$2" --input-type=module -e "$3" "$1"';
  const apart = (folder: string, script: string) =>
    spawnSync('unshare', ['-rm', 'sh', '-c', READ_ONLY, 'sh', folder, process.execPath, script], { encoding: 'utf8' });

  test.skipIf(apart(freshFolder(), '').status !== 0)('a folder on a read-only disk is refused as such', () => {
    const [folder, files] = [freshFolder(), new URL('../../src/platform/node-files.ts', import.meta.url)];
    const script = `
      const { nodeFiles } = await import('${files}');
      try { nodeFiles.makeFolder(process.argv[1] + '/a/b'); } catch ({ kind, message }) { console.log(kind, message); }`;
    expect(apart(folder, script).stdout).toBe(`mirror Cannot make ${folder}/a/b: the file system is read-only.\n`);
  });
});
