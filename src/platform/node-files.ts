import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
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
import { MacroError } from '../errors.ts';
import { fileError, systemCode } from './file-error.ts';
import type { Files, GrowingFile } from './platform.ts';

const PRIVATE = 0o600;

export const nodeFiles: Files = {
  exists: (path) => existsSync(path),
  readText: (path, maxBytes) => readPlainFile(path, maxBytes).toString('utf8'),
  readBytes: (path, maxBytes) => new Uint8Array(readPlainFile(path, maxBytes)),
  pieces: (path) => ({ [Symbol.iterator]: () => readPieces(path) }),
  write: (path, content, mode) => attempt('write', path, () => replaceFile(path, content, mode)),
  grow: (path) => attempt('write', path, () => growFile(path)),
  append: (path, text) => attempt('write', path, () => appendFileSync(path, text, { mode: PRIVATE })),
  sync: (path) => attempt('write', path, () => syncFile(path)),
  copy: (path, to) => attempt('copy', path, () => copyFileSync(path, to, constants.COPYFILE_FICLONE)),
  rename: (path, name) => attempt('rename', path, () => renameSync(path, name)),
  makeFolder(path, mode) {
    attempt('make', path, () => {
      const made = makeFolders(path, mode);
      // The process's umask may have taken bits from a folder that we made.
      if (made !== undefined && mode !== undefined) chmodSync(path, mode);
      // A synced file is lost with the power if its new folder is.
      for (let at = path; made !== undefined && at.length >= made.length; at = dirname(at)) flushFolder(dirname(at));
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

/** The first folder that was made; undefined where all of them were there. */
function makeFolders(path: string, mode: number | undefined): string | undefined {
  try {
    return mkdirSync(path, { recursive: true, ...(mode !== undefined && { mode }) });
  } catch (error) {
    // On a read-only disk Node says ENOENT; the first missing folder alone tells the reason.
    let first = path;
    while (!existsSync(dirname(first))) first = dirname(first);
    if (systemCode(error) === 'ENOENT') mkdirSync(first);
    throw error;
  }
}

const PIECE_BYTES = 64 * 1024;

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** A name for what this process has open already: a shell gives `<(command)` as such. */
const OPEN_ALREADY = /^\/dev\/(?:stdin|fd\/\d+)$/;

/**
 * Opens a file that others may have put there. A cloned folder can have a link to an endless device, or a pipe without
 * a writer; reading either ignores signals.
 * @throws MacroError of kind `usage`.
 */
function openPlainFile(path: string): number {
  const file = attempt('read', path, () => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  const found = fstatSync(file);
  if (found.isFile() || found.isDirectory()) return file;
  closeSync(file);
  // Opened again, so that reading waits for whoever writes.
  if (found.isFIFO() && OPEN_ALREADY.test(path)) return attempt('read', path, () => openSync(path, 'r'));
  throw refused(path, `it is ${found.isFIFO() ? 'a named pipe' : 'a device or a socket'}, not a plain file`);
}

function readPlainFile(path: string, maxBytes = MAX_FILE_BYTES): Buffer {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const piece of readPieces(path)) {
    parts.push(piece);
    length += piece.length;
    if (length > maxBytes) throw refused(path, `it is larger than ${maxBytes} bytes`);
  }
  return Buffer.concat(parts);
}

function refused(path: string, why: string): MacroError {
  return new MacroError('usage', `Cannot read ${path}: ${why}.`, {
    code: 'bad_file',
    hint: 'Remove it, or put the file there that it should be.',
  });
}

function* readPieces(path: string): Generator<Uint8Array> {
  const file = openPlainFile(path);
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

/** The same steps for content that comes in chunks. */
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

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
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
