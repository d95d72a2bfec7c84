import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import { forgotten, openAccount, type QuotaAccount } from './account.ts';
import type { Owner, QuotaLedger } from './ledger.ts';
import type { Outcome } from './rate-headers.ts';
import { type Granted, type ReservationRequest, reserve } from './reserve.ts';
import { settleReservation } from './settle.ts';

/** Milliseconds that a transaction waits for those of other processes, each of which takes a fraction of one. */
const BUSY_TIMEOUT = 2000;

const VERSION = 1;

/** An account is read and written whole under one lock, so it is one text; who wants to look inside has `json_each`. */
const TABLES = `
create table accounts (
  service text not null,
  access text not null,
  account text not null check (json_valid(account)),
  primary key (service, access)
) strict, without rowid;
pragma user_version = ${VERSION};
`;

/**
 * Books in a file that all processes of a user share, one write transaction an operation.
 * @throws MacroError of kind `mirror`.
 */
export function openLedger(path: string, owner: Owner): QuotaLedger {
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

function ledgerOver(db: Database.Database, owner: Owner): QuotaLedger {
  const { service, access } = owner;
  const select = db.prepare<unknown[], string>('select account from accounts where service = ? and access = ?').pluck();
  const put = db.prepare('insert or replace into accounts values (?, ?, ?)');
  const read = (now: number): QuotaAccount => {
    const text = select.get(service, access);
    // Only `write` writes it; a file of another version was refused.
    return text === undefined ? openAccount(access, now) : (JSON.parse(text) as QuotaAccount);
  };
  const write = (account: QuotaAccount) => void put.run(service, access, JSON.stringify(account));
  // A crash between two of these leaves the books as after the first one.
  return {
    reserve: db.transaction((request: ReservationRequest) => {
      const { account, decision } = reserve(read(request.now), request);
      write(account);
      return decision;
    }).immediate,
    settle: db.transaction((granted: Granted, outcome: Outcome, now: number) => {
      write(settleReservation(read(now), granted, outcome, now));
    }).immediate,
    forget: db.transaction((now: number) => write(forgotten(read(now), access, now))).immediate,
    read,
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

/** Readers and the writer do not wait for each other or the disk: the next answer tells what a power cut takes. */
function prepare(db: Database.Database, path: string): void {
  prepareSchema(db, path);
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

/** Makes the tables of a new file; refuses a file of a newer program. @throws MacroError of kind `mirror`. */
function prepareSchema(db: Database.Database, path: string): void {
  if (versionOf(db) === 0) db.transaction(() => versionOf(db) === 0 && db.exec(TABLES)).immediate();
  const version = versionOf(db);
  if (version === VERSION) return;
  throw new MacroError('mirror', `The quota ledger ${path} was written by a newer version of this program.`, {
    code: 'ledger_newer',
    hint: 'Update the program, or remove the file: it is made anew.',
  });
}

function versionOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}
