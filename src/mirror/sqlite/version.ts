import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import type { Birth } from '../ledger/stamp.ts';
import type { SqliteConnection } from './database-file.ts';
import { damaged } from './failures.ts';
import { sumStatements } from './rows/sums.ts';
import { LEDGER, SCHEMA_VERSION } from './schema.ts';

/** Marks a file as a mirror, in the header that SQLite keeps for this: `macr`. */
const APPLICATION_ID = 0x6d616372;

const STATE = `select application_id, user_version, (select count(*) from sqlite_schema)
  from pragma_application_id, pragma_user_version`;

/**
 * What kind of file this is, before anything in it is touched. A mirror of another version is refused.
 * @throws MacroError of kind `mirror`.
 */
export function readState(db: SqliteConnection, path: string): 'empty' | 'current' {
  // One statement sees one state: between two of them another program may be done with making the file.
  const [application, version, tables] = db.prepare<[], [number, number, number]>(STATE).raw().get() ?? [0, 0, 0];
  if (application === APPLICATION_ID && version > 0) {
    if (version === SCHEMA_VERSION) return 'current';
    throw version > SCHEMA_VERSION ? newer(path, version) : older(path, version);
  }
  if (application !== 0 || version !== 0 || tables !== 0)
    throw new MacroError('mirror', `${path} is an SQLite file of another program.`, {
      hint: 'Name another file with --mirror.',
      code: 'mirror_foreign',
    });
  return 'empty';
}

/**
 * Makes the ledger of an empty file, in one transaction: a disk that is full leaves no half of it. Safe when several programs
 * do it at once: the first one wins.
 */
export function makeLedger(db: SqliteConnection, path: string, birth: Birth): void {
  const work = db.transaction(() => {
    if (readState(db, path) === 'current') return;
    db.exec(LEDGER);
    db.prepare('insert into mirror (one, id, created) values (1, ?, ?)').run(birth.id, birth.created);
    sumStatements(db).sealStamp();
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

function newer(path: string, version: number): MacroError {
  return new MacroError(
    'mirror',
    `The mirror ${path} was written by a newer version of this program (file ${version}, program ${SCHEMA_VERSION}).`,
    { hint: 'Update the program, or name another file with --mirror.', code: 'mirror_newer' },
  );
}

function older(path: string, version: number): MacroError {
  return new MacroError(
    'mirror',
    `The mirror ${path} was written by an older version of this program (file ${version}, program ${SCHEMA_VERSION}).`,
    {
      hint: 'Name a new file with --mirror, then run `macro sync` or `macro import FILE` again. First-seen times are lost.',
      code: 'mirror_older',
    },
  );
}

const versions = new WeakMap<SqliteConnection, Database.Statement<[], number>>();

/**
 * Refuses a file that another version of the program has changed since it was opened: its rows may have another form by now.
 * Inside a transaction it holds until that ends. Behind a read, also one that failed, it holds for the read, because versions only
 * grow.
 * @throws MacroError of kind `mirror`.
 */
export function requireOwnVersion(db: SqliteConnection, path: string): void {
  let statement = versions.get(db);
  if (!statement) {
    statement = db.prepare<[], number>('pragma user_version').pluck();
    versions.set(db, statement);
  }
  const version = statement.get();
  if (version === SCHEMA_VERSION) return;
  throw new MacroError(
    'mirror',
    `The mirror ${path} was upgraded by a newer version of this program while this one used it (file ${version}, program ${SCHEMA_VERSION}).`,
    { hint: 'End this program and start the newer version.', code: 'mirror_newer' },
  );
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

/** What the ledger of a new file consists of. */
export function ledgerSchema(): readonly SchemaObject[] {
  const db = new Database(':memory:');
  try {
    makeLedger(db, ':memory:', { id: '', created: 0 });
    return schemaOf(db);
  } finally {
    db.close();
  }
}

/**
 * Refuses a file whose ledger lacks a table; the tables of data are checked where their rows are.
 * @throws MacroError of kind `mirror`.
 */
export function requireLedger(db: SqliteConnection, path: string): void {
  const found = new Set(schemaOf(db).map(({ name }) => name));
  const lost = ledgerSchema().find(({ type, name }) => type === 'table' && !found.has(name));
  if (lost) throw damaged(path, `its table ${lost.name} is gone`);
}
