import type { Database } from 'better-sqlite3';

/** How many rows an answer has before a proven page from its middle, as JSON. */
export function addSkippedRows(db: Database): void {
  db.exec('alter table proofs add column skipped text');
}
