import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import { sqliteCode } from '../../platform/file-error.ts';
import { type AccountStore, ledgerOver, type Owner, type QuotaLedger } from './ledger.ts';

/** Milliseconds that a transaction waits for those of other processes, each of which takes a fraction of one. */
const BUSY_TIMEOUT = 2000;

/** An account is read and written whole under one lock, so it is one text; who wants to look inside has `json_each`. */
const TABLES = `
create table if not exists accounts (
  service text not null,
  access text not null,
  account text not null check (json_valid(account)),
  primary key (service, access)
) strict, without rowid;
`;

/**
 * Books in a file that all processes of a user share, one write transaction an operation.
 * @throws MacroError of kind `mirror`.
 */
export function openLedger(path: string, owner: Owner): QuotaLedger {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { timeout: BUSY_TIMEOUT });
    prepare(db);
    return ledgerOver(storeIn(db, owner), owner.access);
  } catch (error) {
    db?.close();
    throw error instanceof Error && sqliteCode(error) !== '' ? unusable(path, error.message, error) : error;
  }
}

function storeIn(db: Database.Database, { service, access }: Owner): AccountStore {
  const select = db.prepare<unknown[], string>('select account from accounts where service = ? and access = ?').pluck();
  const put = db.prepare('insert or replace into accounts values (?, ?, ?)');
  const read = () => ({ text: select.get(service, access) ?? '' });
  return {
    read,
    // A crash between two of these leaves the books as after the first one.
    change: (work) =>
      db
        .transaction(() => {
          const [text, told] = work(read());
          put.run(service, access, text);
          return told;
        })
        .immediate(),
    close: () => void db.close(),
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
function prepare(db: Database.Database): void {
  db.exec(TABLES);
  db.pragma('synchronous = off');
  if (db.pragma('journal_mode', { simple: true }) !== 'wal') setLog(db);
}

/** Where another process is at work in this moment, it stays as it is: right in either mode, and the next one sets it. */
function setLog(db: Database.Database): void {
  try {
    db.pragma('journal_mode = wal');
  } catch (error) {
    if (!sqliteCode(error).startsWith('SQLITE_BUSY')) throw error;
  }
}
