import type { Database } from 'better-sqlite3';

/** The series that a run tried and did not bring, as a JSON list of their words. */
export function addFailedSeries(db: Database): void {
  db.exec('alter table runs add column failed text');
}
