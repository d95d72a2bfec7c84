import Database from 'better-sqlite3';
import { MacroError } from '../../../errors.ts';
import { closingOnError, useWriteAheadLog } from '../connect.ts';
import { openDatabase, type SqliteConnection } from '../database-file.ts';
import { planOnce } from '../plan-once.ts';
import { emptyMirror, readState } from '../version.ts';

/** Milliseconds to wait for another program's transaction: upkeep can be done later. */
const PATIENCE = 1000;

/**
 * Opens a mirror for work on the file itself. Its tables of rows may be those of other mappings. A backup that became a mirror by its name alone has no log: without one, work that reads
 * the file through a second connection would wait for itself.
 * @throws MacroError of kind `mirror` or `busy`.
 */
export function connectForUpkeep(path: string): SqliteConnection {
  const db = planOnce(openDatabase(path, { timeout: PATIENCE, fileMustExist: true }));
  return closingOnError(db, () => {
    if (readState(db, path) === 'empty') throw emptyMirror(path);
    alone(path, () => useWriteAheadLog(db));
  });
}

/**
 * Runs work that needs the file for itself; another program's transaction is `busy`.
 * @throws MacroError of kind `busy`.
 */
export function alone<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new MacroError('busy', `Another program is writing the mirror ${path}.`, {
      code: 'mirror_busy',
      hint: 'Wait until it is done; nothing was changed.',
      cause: error,
    });
  }
}
