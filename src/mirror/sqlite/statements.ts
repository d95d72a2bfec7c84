import type { Statement } from 'better-sqlite3';
import type { SqliteConnection } from './database-file.ts';

/** Statements of a few shapes, each prepared once a connection and kept. */
export interface Statements {
  /** Rows as arrays of columns. */
  raw<Row extends unknown[]>(sql: string): Statement<unknown[], Row>;
  /** The only column of the rows. */
  single<Value>(sql: string): Statement<unknown[], Value>;
}

export function statementsOf(db: SqliteConnection): Statements {
  const prepared = new Map<string, Statement<unknown[], unknown>>();
  const prepare = (sql: string, shape: (statement: Statement<unknown[], unknown>) => Statement<unknown[], unknown>) => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = shape(db.prepare(sql));
      prepared.set(sql, statement);
    }
    return statement;
  };
  return {
    raw: <Row extends unknown[]>(sql: string) =>
      prepare(sql, (statement) => statement.raw()) as Statement<unknown[], Row>, // the caller states what its own columns are
    single: <Value>(sql: string) => prepare(sql, (statement) => statement.pluck()) as Statement<unknown[], Value>, // as above
  };
}
