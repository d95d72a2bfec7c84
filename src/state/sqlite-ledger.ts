import Database from 'better-sqlite3';
import { MacroError } from '../errors.ts';
import { type Account, forgotten } from './account.ts';
import { accountRows, type Owner } from './account-rows.ts';
import type { Ledger } from './ledger.ts';
import { reserve } from './reserve.ts';
import { prepareSchema } from './schema.ts';
import { settle } from './settle.ts';

/** Milliseconds that a transaction waits for those of other processes, each of which takes a fraction of one. */
const BUSY_TIMEOUT = 2000;

/**
 * Books that all processes of a user share, in one small file. Each operation reads the account, works out the new one and
 * writes it, in one transaction that holds the file's only write lock: of two processes one is always first.
 */
export function openLedger(path: string, owner: Owner): Ledger {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { timeout: BUSY_TIMEOUT });
    prepare(db, path);
    return ledgerOver(db, owner);
  } catch (error) {
    db?.close();
    throw error instanceof Database.SqliteError ? unusable(path, error.message, error) : error;
  }
}

function ledgerOver(db: Database.Database, owner: Owner): Ledger {
  const rows = accountRows(db);
  const read = db.transaction((now: number) => rows.load(owner, now));
  /** A crash between two transactions leaves the books as after the first one. */
  const change = db.transaction((now: number, work: (before: Account) => Account) => {
    const before = rows.load(owner, now);
    rows.save(owner, before, work(before));
  }).immediate;
  return {
    reserve(wish) {
      let result: ReturnType<typeof reserve> | undefined;
      change(wish.now, (before) => {
        result = reserve(before, wish);
        return result.account;
      });
      if (!result) throw new Error('The transaction did not run');
      return result.decision;
    },
    settle(granted, outcome, now) {
      change(now, (before) => settle(before, granted, outcome, now));
    },
    read: (now) => read(now),
    forget(now) {
      change(now, (before) => forgotten(before, owner.access, now));
    },
    close: () => db.close(),
  };
}

function unusable(path: string, why: string, cause: unknown): MacroError {
  return new MacroError('mirror', `The quota ledger ${path} cannot be used: ${why}.`, {
    code: 'ledger_unusable',
    hint: 'Let its folder be written, or remove the file: it is made anew.',
    cause,
  });
}

/**
 * With a log, readers and the one writer do not wait for each other. Nothing waits for the disk: a process that is killed
 * loses nothing by that, and what a power cut takes, the headers of the next answer tell anew.
 */
function prepare(db: Database.Database, path: string): void {
  prepareSchema(db, path);
  db.pragma('foreign_keys = on');
  db.pragma('synchronous = off');
  if (db.pragma('journal_mode', { simple: true }) !== 'wal') setLog(db);
}

/** Where another process is at work in this moment, it stays as it is: right in either mode, and the next one sets it. */
function setLog(db: Database.Database): void {
  try {
    db.pragma('journal_mode = wal');
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
  }
}
