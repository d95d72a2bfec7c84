import type { Database } from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import type { Birth } from '../ledger/stamp.ts';
import { indexCommitsOfSeries } from './migrations/commits-of-series.ts';
import { addFailedSeries } from './migrations/failed-series.ts';
import { addFollows } from './migrations/follows.ts';
import { addJournal } from './migrations/journal.ts';
import { allowNullFilters } from './migrations/null-filters.ts';
import { addOutbox } from './migrations/outbox.ts';
import { dropArrowViews } from './migrations/plain-views.ts';
import { addRuns } from './migrations/runs.ts';
import { allowShortTexts } from './migrations/short-texts.ts';
import { addSkippedRows } from './migrations/skipped-rows.ts';
import { createSums } from './migrations/sums.ts';

/** Marks a file as a mirror, in the header that SQLite keeps for this: `macr`. */
const APPLICATION_ID = 0x6d616372;

type Migration = (db: Database, birth: Birth) => void;

/**
 * Migrations of the ledger, in order; the first makes it. A file's `user_version` is how many of them ran, and is written
 * in the transaction of the migrations themselves. A released one is never edited: a change is a new one at the end.
 */
const MIGRATIONS: readonly Migration[] = [
  createLedger,
  createSums,
  addFollows,
  addRuns,
  indexCommitsOfSeries,
  addJournal,
  addOutbox,
  allowNullFilters,
  addSkippedRows,
  dropArrowViews,
  addFailedSeries,
  allowShortTexts,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

const STATE = `select application_id, user_version, (select count(*) from sqlite_schema)
  from pragma_application_id, pragma_user_version`;

/**
 * What kind of file this is, before anything in it is touched.
 * @throws MacroError of kind `mirror`.
 */
export function readState(db: Database, path: string): 'empty' | 'older' | 'current' {
  // One statement sees one state: between two of them another program may be done with making the file.
  const [application, version, tables] = db.prepare<[], [number, number, number]>(STATE).raw().get() ?? [0, 0, 0];
  if (application === APPLICATION_ID && version > 0) {
    if (version > SCHEMA_VERSION) throw newer(path, version);
    return version < SCHEMA_VERSION ? 'older' : 'current';
  }
  if (application !== 0 || version !== 0 || tables !== 0)
    throw new MacroError('mirror', `${path} is an SQLite file of another program.`, {
      hint: 'Name another file with --mirror.',
      code: 'mirror_foreign',
    });
  return 'empty';
}

/**
 * Brings the ledger to this program's version, in one transaction: a disk that is full leaves no half of it. Safe when
 * several programs do it at once: the first one wins.
 */
export function migrate(db: Database, path: string, birth: Birth): void {
  const work = db.transaction(() => {
    if (readState(db, path) === 'current') return;
    const done = Number(db.pragma('user_version', { simple: true }));
    for (const migration of MIGRATIONS.slice(done)) migration(db, birth);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
  work.immediate();
}

/** A file without anything in it, for whoever does not make mirrors. */
export function emptyMirror(path: string): MacroError {
  return absentMirror(`The mirror ${path} is empty.`);
}

export function absentMirror(message: string): MacroError {
  return new MacroError('mirror', message, {
    hint: 'Fill one with `macro sync fx eur usd` or `macro import FILE`, or name another file with --mirror.',
    code: 'mirror_absent',
  });
}

function newer(path: string, version: number): MacroError {
  return new MacroError(
    'mirror',
    `The mirror ${path} was written by a newer version of this program (file ${version}, program ${SCHEMA_VERSION}).`,
    { hint: 'Update the program, or name another file with --mirror.', code: 'mirror_newer' },
  );
}

function createLedger(db: Database, birth: Birth): void {
  db.exec(`
    create table mirror (
      one integer primary key check (one = 1),
      id text not null,
      created integer not null,
      service text,
      nature text check (nature in ('real', 'synthetic'))
    ) strict;

    create table series (
      id integer primary key,
      endpoint text not null,
      scope text not null check (json_valid(scope)),
      origin text not null,
      generation integer not null,
      checked_at integer not null,
      envelope text,
      envelope_inputs text,
      envelope_commit integer,
      unique (endpoint, scope, origin)
    ) strict;

    create table scopes (
      name text not null,
      value text not null,
      series integer not null references series (id) on delete cascade,
      primary key (name, value, series)
    ) strict, without rowid;

    create table commits (
      number integer primary key,
      at integer not null,
      series integer not null references series (id),
      access text not null,
      request text not null,
      added integer not null,
      revised integer not null,
      vanished integer not null,
      unchanged integer not null
    ) strict;

    create table proofs (
      series integer not null references series (id) on delete cascade,
      access text not null,
      starts any not null,
      ends any not null,
      rows integer not null,
      proven_at integer not null,
      primary key (series, access, starts, ends)
    ) strict, without rowid;

    create table walks (
      series integer not null references series (id) on delete cascade,
      access text not null,
      walk text not null check (json_valid(walk)),
      primary key (series, access)
    ) strict, without rowid;

    create table validators (
      access text not null,
      question text not null,
      etag text not null,
      series integer not null references series (id) on delete cascade,
      commit_number integer not null,
      checked_at integer not null,
      primary key (access, question)
    ) strict, without rowid;

    create index validators_of_series on validators (series, access, checked_at);
  `);
  db.prepare('insert into mirror (one, id, created) values (1, ?, ?)').run(birth.id, birth.created);
}
