import type Database from 'better-sqlite3';
import { MacroError } from '../errors.ts';

const VERSION = 1;

const TABLES = `
create table accounts (
  id integer primary key,
  service text not null,
  access text not null,
  ord integer not null,
  heard integer not null,
  told integer not null,
  limits text not null,
  ahead_low real not null,
  ahead_high real not null,
  ahead_at real not null,
  hold_budget text,
  hold_until real,
  unique (service, access)
) strict;
create table windows (
  account integer not null references accounts (id) on delete cascade,
  budget text not null,
  ends integer not null,
  counted integer not null,
  told_used integer,
  told_includes integer,
  told_ord integer,
  told_at real,
  primary key (account, budget, ends)
) strict, without rowid;
create table reservations (
  account integer not null references accounts (id) on delete cascade,
  id integer not null,
  route text not null,
  at real not null,
  until real not null,
  pid integer not null,
  priority text not null,
  seen text not null,
  primary key (account, id)
) strict, without rowid;
pragma user_version = ${VERSION};
`;

/** Makes the tables of a new file; refuses a file of a newer program. */
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
