import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import { type Connection, closingOnError } from '../connect.ts';
import { readState } from '../migrate.ts';

/** Milliseconds to wait for another program's transaction: upkeep can be done later. */
const PATIENCE = 1000;

/** Opens a mirror for work on the file itself: its tables may be those of another version, its ledger may not. */
export function connectForUpkeep(path: string): Connection {
  const db = new Database(path, { timeout: PATIENCE, fileMustExist: true });
  return closingOnError(db, () => {
    if (readState(db, path) !== 'current')
      throw new MacroError('mirror', `The mirror ${path} was written by an older version of this program.`, {
        code: 'mirror_older',
        hint: 'Run `macro sync` once: it brings the file up to date.',
      });
  });
}

/** Runs work that needs the file for itself; another program's transaction is `busy`. */
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
