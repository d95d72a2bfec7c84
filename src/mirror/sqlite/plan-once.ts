import type { SqliteConnection } from './database-file.ts';

/** A parameter whose value SQLite would look at while it plans. Names and words in quotes are left alone. */
const LOOKED_AT = /'[^']*'|"[^"]*"|(=|\bis|\bis not|\blimit|\boffset) \?/gi;

/**
 * The same statement, planned without the values that are bound to it. SQLite looks at the value of a parameter behind `=` or
 * `limit` to guess how many rows there are, and plans the statement anew once that changes. The driver clears all values after
 * each run, so such a statement would be planned at each run, which takes several times as long as reading a few rows. Behind
 * a plus, which changes no value of any type, nothing is looked at.
 */
export function plannedOnce(sql: string): string {
  return sql.replace(LOOKED_AT, (text, before?: string) => (before === undefined ? text : `${before} +?`));
}

/** Makes a connection plan each of its statements once. Names of columns that are made of an expression may change. */
export function planOnce(db: SqliteConnection): SqliteConnection {
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => prepare(plannedOnce(sql))) as typeof db.prepare; // what it gives follows from the caller's types
  return db;
}
