import { readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import { sqliteCode } from '../../platform/file-error.ts';
import type { Birth } from '../rules/system-rows.ts';
import { openDatabase, planOnce, type SqliteConnection } from './database-file.ts';
import { makeSystemTables, readState } from './version.ts';

export type { SqliteConnection } from './database-file.ts';

/** Milliseconds that a statement waits for another program's transaction before it gives up. */
export const BUSY_TIMEOUT = 5000;

/** Above a quarter page, rows would double the file and triple the time of a page. */
const PAGE_SIZE = 16_384;

const MAX_LOG_BYTES = 64 * 1024 * 1024;

/** Pages of the log before it goes into the file, 32 MB: a sync writes the same pages over and over. */
const LOG_PAGES = 2000;

/** Bytes of a file that is read into memory. */
const MAX_COPIED_BYTES = 512 * 1024 * 1024;

/** Bytes of a file's header that name its journal: 1 is the old one, 2 the log beside it. File format, 1.3. */
const VERSIONS = [18, 19];

/** Opens the file for writing: checks what it is, makes the system tables of an empty one, then sets the pragmas. */
export function connectForWriting(path: string, birth: Birth, timeout: number): SqliteConnection {
  const db = planOnce(openDatabase(path, { timeout }));
  return closingOnError(db, () => {
    const isEmpty = readState(db, path) === 'empty';
    if (isEmpty) db.pragma(`page_size = ${PAGE_SIZE}`);
    // Before the system tables are made: without the log that waits for the disk several times.
    useWriteAheadLog(db);
    db.pragma('synchronous = normal');
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    if (isEmpty) makeSystemTables(db, path, birth);
    db.pragma('foreign_keys = on');
    db.pragma('cache_size = -8000');
    db.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`);
  });
}

/** Opens the file for reading only, without checking its contents. */
export function connectForReading(path: string, timeout: number): SqliteConnection {
  return planOnce(connectForQuery(path, timeout));
}

/** The same for a statement of a person, which is prepared as it was typed. */
export function connectForQuery(path: string, timeout: number): SqliteConnection {
  const db = openDatabase(path, { readonly: true, fileMustExist: true, timeout });
  try {
    db.pragma('schema_version');
    return db;
  } catch (error) {
    db.close();
    if (!isNothingWritable(error)) throw error;
    return copyInMemory(path, error);
  }
}

/** Kilobytes that a snapshot caches, since several stand at once and the system caches the file. */
const SNAPSHOT_CACHE = 1000;

/** Opens the file for one of several snapshots. */
export function connectForSnapshot(path: string, timeout: number): SqliteConnection {
  const db = connectForReading(path, timeout);
  return closingOnError(db, () => db.pragma(`cache_size = -${SNAPSHOT_CACHE}`));
}

/** The file is open, and what could not be is the one beside it. */
function isNothingWritable(error: unknown): boolean {
  return /^SQLITE_(READONLY|CANTOPEN)/.test(sqliteCode(error));
}

export function closingOnError(db: SqliteConnection, work: () => unknown): SqliteConnection {
  try {
    work();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Sets the log, a property of the file, once another program that opens it is done. */
export function useWriteAheadLog(db: SqliteConnection): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (db.pragma('journal_mode', { simple: true }) === 'wal') return;
      db.pragma('journal_mode = wal');
      return;
    } catch (error) {
      if (attempt === 100 || !sqliteCode(error).startsWith('SQLITE_BUSY')) throw error;
      db.exec('begin immediate; commit');
    }
  }
}

/** Reads a whole unwritable file at once. @throws MacroError of kind `mirror` where its log has commits. */
function copyInMemory(path: string, cause: unknown): SqliteConnection {
  const before = stateOf(path);
  if (!before.isFile) throw cause;
  if (before.log > 0) throw refused(path, 'a program that writes it has commits in its log', cause);
  if (before.size > MAX_COPIED_BYTES) throw refused(path, 'it is too large for memory', cause);
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
    hint: 'Let its folder be written, or read a copy instead: macro mirror backup FILE makes a copy that needs no files beside it.',
    cause,
  });
}
