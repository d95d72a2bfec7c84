import type { Statement } from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import type { SqliteConnection } from './database-file.ts';
import { SCHEMA_VERSION } from './migrate.ts';

const versions = new WeakMap<SqliteConnection, Statement<[], number>>();

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
