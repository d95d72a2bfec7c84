import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import type { Birth } from '../rules/ledger.ts';
import type { SqliteConnection } from './database-file.ts';
import { damaged } from './failures.ts';
import { sumStatements } from './sums.ts';

/** Marks a file as a mirror, in the header that SQLite keeps for this: `macr`. */
const APPLICATION_ID = 0x6d616372;

const STATE = `select application_id, user_version, (select count(*) from sqlite_schema)
  from pragma_application_id, pragma_user_version`;
/** The `user_version` of a file that has this schema. Tables of rows count too: their texts are short since this version. */
export const SCHEMA_VERSION = 14;

/** The ledger: everything that is not rows. `json_valid(null)` is null in new SQLite, which a check lets through, and 0 before 3.42. */
const LEDGER = `
  create table mirror (
    one integer primary key check (one = 1),
    id text not null,
    created integer not null,
    service text,
    nature text check (nature in ('real', 'synthetic')),
    bindings text
  ) strict;
  create table series (
    id integer primary key,
    endpoint text not null,
    scope text not null check (json_valid(scope)),
    origin text not null,
    state text not null,
    history text not null,
    closed_at integer not null default 0,
    checked_at integer not null,
    envelope text,
    envelope_inputs text,
    envelope_rows text,
    unique (endpoint, scope, origin, closed_at)
  ) strict;
  create table scopes (
    name text not null,
    value text not null,
    series integer not null references series (id) on delete cascade,
    primary key (name, value, series)
  ) strict, without rowid;
  create table commits (
    number integer primary key,
    at integer not null,
    series integer not null references series (id),
    access text not null,
    request text not null,
    added integer not null,
    revised integer not null,
    vanished integer not null,
    unchanged integer not null
  ) strict;
  create index commits_of_series on commits (series, number);
  create table proofs (
    series integer not null references series (id) on delete cascade,
    access text not null,
    starts any not null,
    ends any not null,
    rows integer not null,
    proven_at integer not null,
    commit_number integer,
    held integer,
    skipped text,
    primary key (series, access, starts, ends)
  ) strict, without rowid;
  create table walks (
    series integer not null references series (id) on delete cascade,
    access text not null,
    walk text not null check (json_valid(walk)),
    primary key (series, access)
  ) strict, without rowid;
  create table validators (
    access text not null,
    question text not null,
    etag text not null,
    series integer not null references series (id) on delete cascade,
    commit_number integer not null,
    checked_at integer not null,
    primary key (access, question)
  ) strict, without rowid;
  create index validators_of_series on validators (series, access, checked_at);
  create table sums (
    series integer not null,
    part text not null,
    rows integer not null,
    sum text not null,
    primary key (series, part)
  ) strict, without rowid;
  create table follows (
    series integer not null references series (id) on delete cascade,
    access text not null,
    checked_at integer not null,
    due text,
    primary key (series, access)
  ) strict, without rowid;
  create table checks (
    series integer not null references series (id) on delete cascade,
    access text not null,
    facts text not null check (json_valid(facts)),
    primary key (series, access)
  ) strict, without rowid;
  create table runs (
    id integer primary key,
    started integer not null,
    ended integer,
    holder text not null,
    words text not null,
    outcome text check (outcome in ('complete', 'incomplete', 'stopped', 'failed')),
    requests integer not null default 0,
    rows integer not null default 0,
    problem text,
    failed text
  ) strict;
  create table journal (
    position integer primary key autoincrement,
    series integer not null references series (id) on delete cascade,
    event text not null,
    timestamp integer not null,
    currency text not null,
    indicator text not null,
    release integer,
    text text not null,
    unique (event, series)
  ) strict;
  create table arrivals (
    position integer not null references journal (position) on delete cascade,
    via text not null check (via in ('stream', 'webhook', 'changes', 'local')),
    at integer not null,
    primary key (position, via)
  ) strict, without rowid;
  create table consumers (
    name text primary key,
    position integer not null,
    moved_at integer not null
  ) strict, without rowid;
  create table failures (
    consumer text not null,
    position integer not null,
    attempts integer not null,
    error text not null,
    failed_at integer not null,
    next_at integer,
    primary key (consumer, position)
  ) strict, without rowid;
  create table gaps (
    id integer primary key,
    origin text not null,
    starts integer,
    ends integer,
    reason text not null,
    via text not null,
    noted_at integer not null,
    closed_at integer
  ) strict;
  create table subscriptions (
    number integer primary key autoincrement,
    id text not null unique,
    owner text not null,
    url text not null,
    status text not null default 'active' check (status in ('active', 'disabled')),
    description text,
    since integer not null,
    successes integer not null default 0,
    failures integer not null default 0,
    consecutive_failures integer not null default 0,
    failing_since integer,
    created_at integer not null,
    updated_at integer,
    disabled_at integer,
    disabled_reason text,
    currencies text check (currencies is null or json_valid(currencies)),
    indicators text check (indicators is null or json_valid(indicators))
  ) strict;
  create table deliveries (
    number integer primary key autoincrement,
    id text not null unique,
    subscription text not null references subscriptions (id) on delete cascade,
    event text not null,
    body text not null,
    status text not null default 'pending' check (status in ('pending', 'retrying', 'succeeded', 'failed')),
    attempts integer not null default 0,
    due_at integer,
    holder text,
    last_status integer,
    last_error text,
    created_at integer not null,
    delivered_at integer
  ) strict;
  create index deliveries_due on deliveries (subscription, due_at) where due_at is not null;
`;

/** The kind of a file, before it is touched; another version is refused. @throws MacroError of kind `mirror`. */
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

/** Makes the ledger of an empty file in one transaction; of several programs the first wins. */
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
 * Refuses a file of another version, for the transaction or, since versions only grow, for the read before it.
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

/** Refuses a file whose ledger is without one of its tables. @throws MacroError of kind `mirror`. */
export function requireLedger(db: SqliteConnection, path: string): void {
  const found = new Set(schemaOf(db).map(({ name }) => name));
  const lost = ledgerSchema().find(({ type, name }) => type === 'table' && !found.has(name));
  if (lost) throw damaged(path, `its table ${lost.name} is gone`);
}

/**
 * Refuses a damaged file or ledger; `quick` skips comparing indexes, most of the time.
 * @throws MacroError of kind `mirror`.
 */
export function assertIntegrity(db: SqliteConnection, path: string, how: 'quick' | 'whole'): void {
  const check = how === 'quick' ? 'quick_check(1)' : 'integrity_check(1)';
  const [first] = db.prepare<[], string>(`pragma ${check}`).pluck().all();
  if (first !== 'ok') throw damaged(path, `${first}`);
  requireLedger(db, path);
}
