import type { Database } from 'better-sqlite3';

/** The commits of a series without a walk over those of all others: when it was first seen, and what brought a row. */
export function indexCommitsOfSeries(db: Database): void {
  db.exec('create index if not exists commits_of_series on commits (series, number)');
}
