import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import { stampFact, sumOf, sumText, WHOLE_FILE } from '../rules/digest.ts';
import { otherVersion } from '../rules/failures.ts';
import type { Birth } from '../rules/system-rows.ts';
import { systemTables } from '../rules/system-tables.ts';
import type { SqliteConnection } from './database-file.ts';
import { damaged } from './failures.ts';

/** Marks a file as a mirror, in the header that SQLite keeps for this: `macr`. */
const APPLICATION_ID = 0x6d616372;

const STATE = `select application_id, user_version, (select count(*) from sqlite_schema)
  from pragma_application_id, pragma_user_version`;
/** The `user_version` of a file that has this schema. Tables of rows count too: their texts are short since this version. */
export const SCHEMA_VERSION = 15;

/** The system tables: everything that is not rows. `json_valid(null)` is null in new SQLite, which a check lets through, and 0 before 3.42. */
const SYSTEM_TABLES = `
  create table mirror (
    one integer primary key check (one = 1),
    id text not null,
    created integer not null,
    service text,
    nature text check (nature in ('real', 'synthetic')),
    bindings text
  ) strict;
  ${systemTables({
    ...{ integer: 'integer', word: 'text', bound: 'any', end: ' strict', rowless: ' strict, without rowid' },
    ...{ counted: 'integer primary key', numbered: 'integer primary key autoincrement' },
    json: (column) => ` check (${column} is null or json_valid(${column}))`,
  })}`;

/** The kind of a file, before it is touched; another version is refused. @throws MacroError of kind `mirror`. */
export function readState(db: SqliteConnection, path: string): 'empty' | 'current' {
  // One statement sees one state: between two of them another program may be done with making the file.
  const [application, version, tables] = db.prepare<[], [number, number, number]>(STATE).raw().get() ?? [0, 0, 0];
  if (application === APPLICATION_ID && version > 0) {
    if (version === SCHEMA_VERSION) return 'current';
    throw ofVersion(path, version, version > SCHEMA_VERSION ? 'newer' : 'older');
  }
  if (application !== 0 || version !== 0 || tables !== 0)
    throw new MacroError('mirror', `${path} is an SQLite file of another program.`, {
      hint: 'Name another file with --mirror.',
      code: 'mirror_foreign',
    });
  return 'empty';
}

/** Makes the system tables of an empty file in one transaction; of several programs the first wins. */
export function makeSystemTables(db: SqliteConnection, path: string, birth: Birth): void {
  const work = db.transaction(() => {
    if (readState(db, path) === 'current') return;
    db.exec(SYSTEM_TABLES);
    db.prepare('insert into mirror (one, id, created) values (1, ?, ?)').run(birth.id, birth.created);
    const stamp = sumOf([stampFact({ ...birth, service: null, nature: null, bindings: null })]);
    db.prepare(`insert into sums values (?, 'stamp', ?, ?)`).run(WHOLE_FILE, stamp.rows, sumText(stamp));
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
  work.immediate();
}

/** A file without anything in it, for whoever does not make mirrors. */
export function emptyMirror(path: string): MacroError {
  return absentMirror(`The mirror ${path} is empty.`);
}

export function absentMirror(message: string): MacroError {
  return new MacroError('mirror', message, {
    hint: 'Fill one with `macro sync fx eur usd` or `macro import FILE`, or name another file with --mirror.',
    code: 'mirror_absent',
  });
}

function ofVersion(path: string, version: number | undefined, kind: Parameters<typeof otherVersion>[1]): MacroError {
  const other = { newer: 'another file with --mirror', older: 'a new file with --mirror' };
  return otherVersion(path, kind, { at: `file ${version}, program ${SCHEMA_VERSION}`, other });
}

const versions = new WeakMap<SqliteConnection, Database.Statement<[], number>>();

/** Refuses a file of another version; versions only grow. @throws MacroError of kind `mirror`. */
export function requireOwnVersion(db: SqliteConnection, path: string): void {
  let statement = versions.get(db);
  if (!statement) {
    statement = db.prepare<[], number>('pragma user_version').pluck();
    versions.set(db, statement);
  }
  const version = statement.get();
  if (version !== SCHEMA_VERSION) throw ofVersion(path, version, 'upgraded');
}

/** Makes a transaction that writes: no other program writes meanwhile, and the file has this program's version. */
export function writeTransaction<Args extends unknown[], Result>(
  db: SqliteConnection,
  path: string,
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const transaction = db.transaction((...args: Args) => {
    requireOwnVersion(db, path);
    return work(...args);
  });
  return transaction.immediate;
}

/** Something that the schema of a file names. */
export interface SchemaObject {
  readonly type: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  /** The table that it belongs to; itself for a table or a view. */
  readonly on: string;
  readonly sql: string | null;
}

/** All that a file names, but what SQLite makes by itself. */
export function schemaOf(db: SqliteConnection): readonly SchemaObject[] {
  return db
    .prepare<[], SchemaObject>(
      `select type, name, tbl_name as "on", sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\' order by type, name`,
    )
    .all();
}

/** The system tables of a new file. */
export function systemSchema(): readonly SchemaObject[] {
  const db = new Database(':memory:');
  try {
    makeSystemTables(db, ':memory:', { id: '', created: 0 });
    return schemaOf(db);
  } finally {
    db.close();
  }
}

/** Refuses a file without one of the system tables. @throws MacroError of kind `mirror`. */
export function requireSystemTables(db: SqliteConnection, path: string): void {
  const found = new Set(schemaOf(db).map(({ name }) => name));
  const lost = systemSchema().find(({ type, name }) => type === 'table' && !found.has(name));
  if (lost) throw damaged(path, `its table ${lost.name} is gone`);
}

/** Refuses a damaged file, or one without a system table; `quick` skips indexes. @throws MacroError of kind `mirror`. */
export function assertIntegrity(db: SqliteConnection, path: string, how: 'quick' | 'whole'): void {
  const check = how === 'quick' ? 'quick_check(1)' : 'integrity_check(1)';
  const [first] = db.prepare<[], string>(`pragma ${check}`).pluck().all();
  if (first !== 'ok') throw damaged(path, `${first}`);
  requireSystemTables(db, path);
}
