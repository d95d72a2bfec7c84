import Database from 'better-sqlite3';
import type { SqliteConnection } from './database-file.ts';
import { damaged } from './failures.ts';
import { migrate } from './migrate.ts';

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
    migrate(db, ':memory:', { id: '', created: 0 });
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
