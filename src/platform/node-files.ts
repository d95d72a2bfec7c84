import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileError } from './file-error.ts';
import type { Files } from './platform.ts';

const PRIVATE = 0o600;

export const nodeFiles: Files = {
  exists: (path) => existsSync(path),
  readText: (path) => attempt('read', path, () => readFileSync(path, 'utf8')),
  readBytes: (path) => attempt('read', path, () => new Uint8Array(readFileSync(path))),
  write: (path, content, mode) => attempt('write', path, () => replaceFile(path, content, mode)),
  makeFolder(path, mode) {
    attempt('make', path, () => {
      const made = mkdirSync(path, { recursive: true, ...(mode !== undefined && { mode }) });
      // The process's umask may have taken bits from a folder that we made.
      if (made !== undefined && mode !== undefined) chmodSync(path, mode);
    });
  },
  makeTemporaryFolder: (prefix) => attempt('make', tmpdir(), () => mkdtempSync(join(tmpdir(), prefix))),
  remove: (path) => attempt('remove', path, () => rmSync(path, { recursive: true, force: true })),
  list: (folder) => attempt('list', folder, () => readdirSync(folder).sort()),
  mode(path) {
    const found = attempt('look at', path, () => statSync(path, { throwIfNoEntry: false }));
    return found === undefined ? undefined : found.mode & 0o7777;
  },
  size: (path) => attempt('look at', path, () => statSync(path, { throwIfNoEntry: false }))?.size,
};

function attempt<T>(verb: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(verb, path, error);
  }
}

/**
 * Walk: the content goes to a new name in the same folder, with its final permissions before the first byte is in it, so
 * that a secret is never readable in between; it is forced to disk; the rename puts it in place; the folder is forced to
 * disk, or a power cut could forget the rename.
 */
function replaceFile(path: string, content: string | Uint8Array, mode: number | undefined): void {
  // A device or a pipe is written into: a file in its place would take it away from everybody.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    writeFileSync(path, content);
    return;
  }
  // A link stays a link: what it points at is replaced.
  const target = existsSync(path) ? realpathSync(path) : path;
  const permissions = mode ?? statSync(target, { throwIfNoEntry: false })?.mode;
  const beside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = openSync(beside, 'wx', mode === undefined ? 0o666 : PRIVATE);
    try {
      if (permissions !== undefined) fchmodSync(file, permissions & 0o7777);
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  flushFolder(dirname(target));
}

function flushFolder(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, 'r');
    fsyncSync(handle);
  } catch {
    // Some systems cannot open or flush a folder; the file itself is on disk and in place already.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
