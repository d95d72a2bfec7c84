import { statSync } from 'node:fs';
import { MacroError } from '../../errors.ts';
import { sqliteCode } from '../../platform/file-error.ts';
import { closingOnError, useWriteAheadLog } from './connect.ts';
import { openDatabase, planOnce, type SqliteConnection } from './database-file.ts';
import { translating } from './failures.ts';
import { assertIntegrity, emptyMirror, readState } from './version.ts';

/** Milliseconds to wait for another program's transaction: upkeep can be done later. */
const PATIENCE = 1000;

/** Writes the file anew without free room and empties its log; refused for a damaged file or beside a writer. */
export function compactMirror(path: string) {
  return translating(path, () => {
    const db = connectForUpkeep(path);
    try {
      // A damaged file may be written anew without an error, and without the rows that could not be read.
      alone(path, () => assertIntegrity(db, path, 'quick'));
      const before = bytesOf(path);
      alone(path, () => db.exec('vacuum'));
      // A reader may still need the log: then whoever closes the file last empties it.
      db.pragma('wal_checkpoint(truncate)');
      return { before, after: bytesOf(path) };
    } finally {
      db.close();
    }
  });
}

function bytesOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/**
 * Opens a mirror for work on its file, whatever its mappings. A backup has no log, and would wait for itself.
 * @throws MacroError of kind `mirror` or `busy`.
 */
export function connectForUpkeep(path: string): SqliteConnection {
  const db = planOnce(openDatabase(path, { timeout: PATIENCE, fileMustExist: true }));
  return closingOnError(db, () => {
    if (readState(db, path) === 'empty') throw emptyMirror(path);
    alone(path, () => useWriteAheadLog(db));
  });
}

/** Runs work that needs the file alone. @throws MacroError of kind `busy`. */
export function alone<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!sqliteCode(error).startsWith('SQLITE_BUSY')) throw error;
    throw new MacroError('busy', `Another program is writing the mirror ${path}.`, {
      code: 'mirror_busy',
      hint: 'Wait until it is done; nothing was changed.',
      cause: error,
    });
  }
}
