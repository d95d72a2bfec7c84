import type { Statement } from 'better-sqlite3';
import type { SqliteConnection } from './database-file.ts';

/** Statements of a few shapes, each prepared once a connection and kept. */
export interface Statements {
  /** Rows as arrays of columns. */
  raw<Row extends unknown[]>(sql: string): Statement<unknown[], Row>;
}

export function statementsOf(db: SqliteConnection): Statements {
  const prepared = new Map<string, Statement<unknown[], unknown>>();
  return {
    raw<Row extends unknown[]>(sql: string) {
      let statement = prepared.get(sql);
      if (!statement) {
        statement = db.prepare(sql).raw();
        prepared.set(sql, statement);
      }
      return statement as Statement<unknown[], Row>; // the caller states what its own columns are
    },
  };
}
