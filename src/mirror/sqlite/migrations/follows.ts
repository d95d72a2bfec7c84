import type { Database } from 'better-sqlite3';

/** Series that a feed keeps current: known to where the feed stands, until it names them. */
export function addFollows(db: Database): void {
  db.exec(`
    create table follows (
      series integer not null references series (id) on delete cascade,
      access text not null,
      checked_at integer not null,
      due text,
      primary key (series, access)
    ) strict, without rowid;
  `);
}
