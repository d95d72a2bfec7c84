import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileError } from './file-error.ts';
import type { Files, GrowingFile } from './platform.ts';

const PRIVATE = 0o600;

export const nodeFiles: Files = {
  exists: (path) => existsSync(path),
  readText: (path) => attempt('read', path, () => readFileSync(path, 'utf8')),
  readBytes: (path) => attempt('read', path, () => new Uint8Array(readFileSync(path))),
  pieces: (path) => ({ [Symbol.iterator]: () => readPieces(path) }),
  write: (path, content, mode) => attempt('write', path, () => replaceFile(path, content, mode)),
  grow: (path) => attempt('write', path, () => growFile(path)),
  append: (path, text) => attempt('write', path, () => appendFileSync(path, text, { mode: PRIVATE })),
  copy: (path, to) => attempt('copy', path, () => copyFileSync(path, to, constants.COPYFILE_FICLONE)),
  rename: (path, name) => attempt('rename', path, () => renameSync(path, name)),
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
  look(path) {
    const found = attempt('look at', path, () => statSync(path, { throwIfNoEntry: false }));
    return found && { isFile: found.isFile(), bytes: found.size, changedAt: found.mtimeMs };
  },
  room(folder) {
    const { bavail, bsize } = attempt('look at', folder, () => statfsSync(folder));
    return bavail * bsize;
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

const PIECE_BYTES = 64 * 1024;

function* readPieces(path: string): Generator<Uint8Array> {
  const file = attempt('read', path, () => openSync(path, 'r'));
  try {
    for (;;) {
      const piece = new Uint8Array(PIECE_BYTES);
      const length = attempt('read', path, () => readSync(file, piece));
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** Replaces a file by a rename. Permissions come before the first byte, and file and folder are forced to disk. */
function replaceFile(path: string, content: string | Uint8Array, mode: number | undefined): void {
  // A device or a pipe is written into: a file in its place would take it away from everybody.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    writeFileSync(path, content);
    return;
  }
  // A link stays a link: what it points at is replaced.
  const target = existsSync(path) ? realpathSync(path) : path;
  const permissions = mode ?? statSync(target, { throwIfNoEntry: false })?.mode;
  const beside = besideOf(target);
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

/** The same walk for content that comes in pieces. */
function growFile(path: string): GrowingFile {
  const target = existsSync(path) ? realpathSync(path) : path;
  if (statSync(target, { throwIfNoEntry: false })?.isFile() === false) return growDevice(path, target);
  const beside = besideOf(target);
  let file: number | undefined = openSync(beside, 'wx', 0o666);
  const permissions = statSync(target, { throwIfNoEntry: false })?.mode;
  if (permissions !== undefined) fchmodSync(file, permissions & 0o7777);
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    write: (bytes) => attempt('write', path, () => file !== undefined && writeAll(file, bytes)),
    finish: () =>
      attempt('write', path, () => {
        if (file !== undefined) fsyncSync(file);
        close();
        renameSync(beside, target);
        flushFolder(dirname(target));
      }),
    discard() {
      close();
      rmSync(beside, { force: true });
    },
  };
}

function growDevice(path: string, target: string): GrowingFile {
  const file = attempt('write', path, () => openSync(target, 'w'));
  return {
    write: (bytes) => attempt('write', path, () => writeAll(file, bytes)),
    finish: () => closeSync(file),
    discard: () => undefined,
  };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function besideOf(target: string): string {
  return join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
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
