import type Database from 'better-sqlite3';
import { MacroError } from '../errors.ts';

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
 * Makes the tables of a new file; refuses a file of a newer program.
 * @throws MacroError of kind `mirror`.
 */
export function prepareSchema(db: Database.Database, path: string): void {
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
