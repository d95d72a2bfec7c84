import type { Database } from 'better-sqlite3';

/** The journal of release events, its followers, and what is known to be missing. */
export function addJournal(db: Database): void {
  db.exec(`
    create table journal (
      position integer primary key autoincrement,
      series integer not null references series (id) on delete cascade,
      event text not null,
      timestamp integer not null,
      currency text not null,
      indicator text not null,
      release integer,
      text text not null,
      unique (event, series)
    ) strict;

    create table arrivals (
      position integer not null references journal (position) on delete cascade,
      via text not null check (via in ('stream', 'webhook', 'changes', 'local')),
      at integer not null,
      primary key (position, via)
    ) strict, without rowid;

    create table consumers (
      name text primary key,
      position integer not null,
      moved_at integer not null
    ) strict, without rowid;

    create table failures (
      consumer text not null,
      position integer not null,
      attempts integer not null,
      error text not null,
      failed_at integer not null,
      next_at integer,
      primary key (consumer, position)
    ) strict, without rowid;

    create table gaps (
      id integer primary key,
      origin text not null,
      starts integer,
      ends integer,
      reason text not null,
      via text not null,
      noted_at integer not null,
      closed_at integer
    ) strict;
  `);
}
