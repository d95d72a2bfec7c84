import { type Stats, statSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import { translating } from './failures.ts';

/** An open mirror file, for work that must end up in the file of that name. */
export interface OpenFile {
  readonly path: string;
  /** Runs work on the file. Translates what the driver throws, and throws `mirror_moved` when the name means no longer this file. */
  run<T>(work: () => T): T;
  /** Throws `mirror_moved` when the name means no longer this file. */
  requireSame(): void;
}

/** A parameter whose value SQLite would look at while it plans. Names and words in quotes are left alone. */
const LOOKED_AT = /'[^']*'|"[^"]*"|(=|\bis|\bis not|\blimit|\boffset) \?/gi;

/** Statements of a few shapes, each prepared once a connection and cached. */
export interface Statements {
  /** Rows as arrays of columns. */
  raw<Row extends unknown[]>(sql: string): Statement<unknown[], Row>;
  /** The only column of the rows. */
  single<Value>(sql: string): Statement<unknown[], Value>;
  /** Rows with their columns by name. */
  named<Row>(sql: string): Statement<unknown[], Row>;
}

/** Rows that one statement takes: a call of it costs as much as a row. Few sizes, so that few statements are prepared. */
const SIZES: readonly number[] = [25, 5, 1];

/** Opens or makes a database file; anything but a plain file is refused first. @throws mirror_unusable */
export function openDatabase(path: string, options: Database.Options, use: Use = 'mirror'): Database.Database {
  refuseSpecialFile(path, use);
  const db = new Database(path, options);
  identities.set(db, fileIdentity(path));
  return db;
}

const identities = new WeakMap<Database.Database, string>();

/** Which file of the disk a connection has open, as `identityOf` tells it; undefined for one in memory. */
function openedFile(db: Database.Database): string | undefined {
  return identities.get(db);
}

/** Which file of the disk has this name; `none` when it is not there, or cannot be looked at any more. */
function fileIdentity(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return 'none';
  }
}

/** The purpose of the file. */
type Use = 'mirror' | 'lock';

function refuseSpecialFile(path: string, use: Use): void {
  const stats = statsOf(path);
  const kind = stats && KINDS.find(([, isKind]) => isKind(stats))?.[0];
  if (kind === undefined) return;
  const where = kind === 'a folder' ? 'Name a file in it' : 'Name a plain file';
  const hint = `${where} with --mirror, such as --mirror rates.db.`;
  throw new MacroError('mirror', `${path} is ${kind}, not a ${use}.`, {
    code: 'mirror_unusable',
    hint: use === 'mirror' ? hint : 'Remove it: the program makes a lock file there by itself.',
  });
}

const KINDS: readonly (readonly [kind: string, isKind: (stats: Stats) => boolean])[] = [
  ['a folder', (stats) => stats.isDirectory()],
  ['a named pipe', (stats) => stats.isFIFO()],
  ['a socket', (stats) => stats.isSocket()],
  ['a device', (stats) => stats.isCharacterDevice() || stats.isBlockDevice()],
];

/** If a path cannot be read, the driver says why when it opens it. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export type SqliteConnection = Database.Database;

/** Remembers the open file: its name must lead to it around each use. @throws MacroError of kind `mirror`. */
export function openFileOf(db: SqliteConnection, path: string): OpenFile {
  const opened = openedFile(db);
  const requireSame = () => {
    if (opened !== undefined && (opened === 'none' || fileIdentity(path) !== opened)) throw moved(path);
  };
  return {
    path,
    requireSame,
    run: (work) => {
      requireSame();
      const done = translating(path, work);
      requireSame();
      return done;
    },
  };
}

function moved(path: string): MacroError {
  return new MacroError('mirror', `The mirror ${path} was removed or replaced while this program used it.`, {
    code: 'mirror_moved',
    hint: 'Later rows are not in a file of this name. Put the file back if you can, then run the command again.',
  });
}

/** The statement planned once, its values behind a plus: the driver clears them, and SQLite would plan each run. */
export function plannedOnce(sql: string): string {
  return sql.replace(LOOKED_AT, (text, before?: string) => (before === undefined ? text : `${before} +?`));
}

/** Makes a connection plan each of its statements once. Names of columns that are made of an expression may change. */
export function planOnce(db: SqliteConnection): SqliteConnection {
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => prepare(plannedOnce(sql))) as typeof db.prepare; // what it gives follows from the caller's types
  return db;
}

export function statementsOf(db: SqliteConnection): Statements {
  type Made = Statement<unknown[], unknown>;
  const preparing = (shape: (statement: Made) => Made) => {
    const prepared = new Map<string, Made>();
    return (sql: string) => {
      const statement = prepared.get(sql) ?? shape(db.prepare(sql));
      prepared.set(sql, statement);
      return statement;
    };
  };
  // The caller states what its own columns are.
  return {
    raw: preparing((statement) => statement.raw()),
    single: preparing((statement) => statement.pluck()),
    named: preparing((statement) => statement),
  } as Statements;
}

/** The rows in their order, in ranges of a few sizes, of which the last is one. */
export function* slicesOf<Row>(rows: readonly Row[], sizes = SIZES): Generator<readonly Row[]> {
  let at = 0;
  for (const size of sizes)
    for (; at + size <= rows.length; at += size) yield size === rows.length ? rows : rows.slice(at, at + size);
}
