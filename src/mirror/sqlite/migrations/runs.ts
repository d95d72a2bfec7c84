import type { Database } from 'better-sqlite3';

/** Runs of a sync, newest last. One without an end is running, or died. */
export function addRuns(db: Database): void {
  db.exec(`
    create table runs (
      id integer primary key,
      started integer not null,
      ended integer,
      holder text not null,
      words text not null,
      outcome text check (outcome in ('complete', 'incomplete', 'stopped', 'failed')),
      requests integer not null default 0,
      rows integer not null default 0,
      problem text
    ) strict;
  `);
}
