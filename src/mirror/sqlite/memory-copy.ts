import { readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import type { SqliteConnection } from './database-file.ts';

/** Bytes of a file that is read into memory. */
const MAX_COPIED_BYTES = 512 * 1024 * 1024;

/** Of a file's header: which journal it is written and read with. 1 is the old one, 2 the log beside it. File format, 1.3. */
const VERSIONS = [18, 19];

/**
 * Reads a mirror where nothing can be written. A file with a log needs a second one beside it to be read at all, so that
 * readers and a writer know of each other; where that cannot be made, the whole file is read at once. That is safe only while
 * nobody writes it: a log that holds commits is refused, and so is a file that was another one before it was read to its end.
 * @throws MacroError of kind `mirror`.
 */
export function copyInMemory(path: string, cause: unknown): SqliteConnection {
  const before = stateOf(path);
  if (!before.isFile) throw cause;
  if (before.log > 0) throw refused(path, 'a program that writes it has commits in its log', cause);
  if (before.size > MAX_COPIED_BYTES) throw refused(path, 'it is too large to be held in memory', cause);
  const bytes = readFileSync(path);
  const after = stateOf(path);
  if (after.log > 0 || after.size !== before.size || after.changed !== before.changed)
    throw refused(path, 'it was written meanwhile', cause);
  for (const at of VERSIONS) bytes[at] = 1;
  return new Database(bytes, { readonly: true });
}

function stateOf(path: string) {
  const file = statSync(path);
  const beside = (end: string) => statSync(path + end, { throwIfNoEntry: false })?.size ?? 0;
  return { isFile: file.isFile(), size: file.size, changed: file.mtimeMs, log: beside('-wal') + beside('-journal') };
}

function refused(path: string, why: string, cause: unknown): MacroError {
  return new MacroError('mirror', `The mirror ${path} cannot be read where nothing can be written: ${why}.`, {
    code: 'mirror_unusable',
    hint: 'Let its folder be written, or read a copy instead: macro mirror backup FILE makes one that needs no files beside it.',
    cause,
  });
}
