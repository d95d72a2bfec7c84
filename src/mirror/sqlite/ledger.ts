import type { SeriesRef } from '../../contract/hooks.ts';
import { readJson } from '../../contract/json/json.ts';
import { type ReleaseEvent, releaseEventOf } from '../../contract/release-event.ts';
import type { Via } from '../api/journal.ts';
import type { Follow, NamedSeries, NewRow, PageCommit, PaginationRun } from '../api/page-commit.ts';
import type { AccessTag, SeriesKey, SeriesTime, Stamp, StoredSeries } from '../api/series.ts';
import type { Prepared } from '../rules/columns.ts';
import {
  type Arrival,
  type Arrivals,
  arrivalsInOrder,
  arrivalsOf,
  storedId,
  unknownAmong,
} from '../rules/commit-rules.ts';
import type { SeriesFacts } from '../rules/digest.ts';
import {
  decideStamp,
  isWhole,
  type LedgerSchema,
  MAX_VALIDATORS,
  type PaginationRunRow,
  paginationRunOf,
  scopeText,
  seriesAt,
  stampFrom,
  storedSeriesOf,
} from '../rules/ledger.ts';
import { once } from '../rules/tables.ts';
import { type SqliteConnection, slicesOf } from './database-file.ts';
import { sumStatements } from './sums.ts';

type Row = LedgerSchema['mirror'];

type SeriesRow = LedgerSchema['series'];

type FollowRow = Pick<LedgerSchema['follows'], 'series' | 'checked_at' | 'due'>;

/** The statements of the ledger, for a connection, each group made when it is first used: most programs read a few rows. */
export function ledgerOf(db: SqliteConnection, path: string) {
  return {
    stamp: once(() => stampStatements(db, path)),
    series: once(() => seriesStatements(db)),
    walks: once(() => paginationRunStatements(db)),
    validators: once(() => validatorStatements(db)),
    sums: once(() => sumStatements(db)),
    follows: once(() => followStatements(db)),
    arrive: once(() => arrivalWriter(db)),
  };
}

export type SeriesLedger = ReturnType<typeof ledgerOf>;

/** The unfinished walks, one a series and access. */
function paginationRunStatements(db: SqliteConnection) {
  const select = db.prepare<unknown[], string>('select walk from walks where series = ? and access = ?').pluck();
  const put = db.prepare('insert or replace into walks (series, access, walk) values (?, ?, ?)');
  const remove = db.prepare('delete from walks where series = ? and access = ?');
  const read = (series: number, access: AccessTag): PaginationRunRow | undefined => {
    const text = select.get(series, access);
    return text === undefined ? undefined : readJson(text);
  };
  return {
    get(series: number, access: AccessTag): PaginationRun | undefined {
      const kept = read(series, access);
      return kept && paginationRunOf(kept);
    },
    read,
    put: (series: number, access: AccessTag, walk: PaginationRunRow) => put.run(series, access, JSON.stringify(walk)),
    drop: (series: number, access: AccessTag) => remove.run(series, access),
  };
}

/** ETags of earlier answers, one a question and access. */
function validatorStatements(db: SqliteConnection) {
  const select = db.prepare<unknown[], string>('select etag from validators where access = ? and question = ?').pluck();
  const put = db.prepare(
    `insert or replace into validators (access, question, etag, series, commit_number, checked_at)
     values (?, ?, ?, ?, ?, ?)`,
  );
  const forget = db.prepare('delete from validators where access = ? and question = ?');
  const prune = db.prepare(
    `delete from validators where (access, question) in (
       select access, question from validators where series = ? and access = ?
       order by checked_at desc limit -1 offset ${MAX_VALIDATORS})`,
  );
  return {
    get: (access: AccessTag, question: string) => select.get(access, question),
    put(access: AccessTag, question: string, validator: { etag: string; series: number; commit: number; at: number }) {
      put.run(access, question, validator.etag, validator.series, validator.commit, validator.at);
      prune.run(validator.series, access);
    },
    forget: (access: AccessTag, question: string) => forget.run(access, question),
  };
}

/** Reads and sets whose answers the file holds. */
function stampStatements(db: SqliteConnection, path: string) {
  const select = db.prepare<[], Row>('select id, created, service, nature, bindings from mirror');
  const update = db.prepare('update mirror set service = ?, nature = ?');

  function read(): Stamp {
    return stampFrom(select.get(), path);
  }

  /** The first answer decides, in the transaction of its commit; others must fit. True when this one decided. */
  function check({ series, nature }: PageCommit): boolean {
    const decided = decideStamp(read(), { series, nature }, path);
    if (decided) update.run(decided.service, decided.nature);
    return decided !== undefined;
  }

  return { read, check };
}

/** Finds series by reference. `scopeNames` are all names that series of the endpoint can have. */
export function seriesFinder(db: SqliteConnection) {
  const exact = db.prepare<unknown[], SeriesRow>('select * from series where endpoint = ? and scope = ? order by id');
  const all = db.prepare<unknown[], SeriesRow>('select * from series where endpoint = ? order by id');
  const byPair = db.prepare<unknown[], SeriesRow>(
    `select series.* from scopes join series on series.id = scopes.series
     where scopes.name = ? and scopes.value = ? and endpoint = ? order by series.id`,
  );

  return (ref: SeriesRef, scopeNames: readonly string[], time?: SeriesTime): readonly StoredSeries[] => {
    const pairs = Object.entries(ref.scope);
    if (isWhole(ref, scopeNames))
      return seriesAt(exact.all(ref.endpoint, scopeText(ref.scope)).map(storedSeriesOf), time);
    const [pair] = pairs;
    const rows = pair ? byPair.all(...pair, ref.endpoint) : all.all(ref.endpoint);
    const found = rows.map(storedSeriesOf).filter((one) => pairs.every(([name, value]) => one.scope[name] === value));
    return seriesAt(found, time);
  };
}

/** Reads and writes single series inside a commit. */
function seriesStatements(db: SqliteConnection) {
  const select = db.prepare<unknown[], SeriesRow>(
    'select * from series where endpoint = ? and scope = ? and origin = ? and closed_at = 0',
  );
  const insert = db.prepare(
    'insert into series (endpoint, scope, origin, state, history, checked_at) values (?, ?, ?, ?, ?, ?)',
  );
  const insertPair = db.prepare('insert into scopes (name, value, series) values (?, ?, ?)');
  const check = db.prepare('update series set checked_at = ? where id = ?');
  const close = db.prepare('update series set closed_at = ? where id = ?');
  const forgets = ['follows', 'walks', 'validators'].map((table) =>
    db.prepare(`delete from ${table} where series = ?`),
  );
  const advance = db.prepare('update series set state = ?, history = ?, checked_at = ? where id = ?');
  const describe = db.prepare(
    `update series set state = ?, history = ?, checked_at = ?, envelope = ?, envelope_inputs = ?, envelope_rows = ?
     where id = ?`,
  );

  return {
    get(key: SeriesKey): StoredSeries | undefined {
      const row = select.get(key.endpoint, scopeText(key.scope), key.origin);
      return row && storedSeriesOf(row);
    },
    add(key: SeriesKey, { state, history }: SeriesFacts, at: number): number {
      const scope = scopeText(key.scope);
      const id = Number(insert.run(key.endpoint, scope, key.origin, state, history, at).lastInsertRowid);
      for (const [name, value] of Object.entries(key.scope)) insertPair.run(name, value, id);
      return id;
    },
    check: (id: number, at: number) => check.run(at, id),
    /** It is of the past from now on: nothing keeps it up to date any more. */
    close(id: number, at: number): void {
      close.run(at, id);
      for (const forget of forgets) forget.run(id);
    },
    alter(before: StoredSeries, { id, state, history, checkedAt, envelope }: StoredSeries): void {
      if (!envelope || envelope === before.envelope) advance.run(state, history, checkedAt, id);
      else describe.run(state, history, checkedAt, envelope.text, envelope.inputs, envelope.rows, id);
    },
  };
}

/** The series that a feed keeps current, one row a series and access. Everything runs inside the caller's transaction. */
function followStatements(db: SqliteConnection) {
  const list = db.prepare<unknown[], FollowRow>(
    `select follows.series, follows.checked_at, due from follows join series on series.id = follows.series
     where endpoint = ? and access = ?`,
  );
  const settle = db.prepare(
    `insert into follows (series, access, checked_at, due) values (?, ?, ?, null)
     on conflict do update set due = null, checked_at = case when ? then excluded.checked_at else checked_at end`,
  );
  // Joined, so that the pair which fewer series have is looked up first: one select a pair reads them all.
  const having = (_: unknown, i: number) =>
    `join scopes as pair${i} on pair${i}.series = id and pair${i}.name = ? and pair${i}.value = ?`;
  const naming = (pairs: number) =>
    db.prepare(
      `update follows set due = case when due is null or due > ? then ? else due end
       where access = ? and series in
         (select id from series ${Array.from({ length: pairs }, having).join(' ')} where endpoint = ? and origin = ?)`,
    );
  const any = db.prepare('select 1 from follows where access = ? limit 1');
  const byPairs = new Map<number, ReturnType<typeof naming>>();

  return {
    list: (endpoint: string, access: AccessTag): readonly Follow[] =>
      list.all(endpoint, access).map(({ series, checked_at: checkedAt, due }) => ({
        series,
        checkedAt,
        due: due ?? undefined,
      })),
    /** The series is known to where its feed stands. */
    settle: (series: number, { access, at }: PageCommit, checked: boolean) =>
      settle.run(series, access, at, checked ? 1 : 0),
    /** The feed of this origin says that series have changed. */
    name({ series, access }: PageCommit, named: readonly NamedSeries[]): void {
      // A machine that only receives follows nothing, and the search costs as much as keeping the event.
      if (named.length === 0 || !any.get(access)) return;
      for (const { endpoint, scope, due } of named) {
        const pairs = Object.entries(scope);
        const statement = byPairs.get(pairs.length) ?? naming(pairs.length);
        byPairs.set(pairs.length, statement);
        statement.run(due, due, access, ...pairs.flat(), endpoint, series.origin);
      }
    },
  };
}

/** Notes events and new series in the transaction of the commit, so that journal and changes agree. */
export function writeArrivals(
  { arrive, follows }: SeriesLedger,
  rows: readonly Prepared[],
  { commit, via, series }: { commit: PageCommit; via: Via; series: number },
): Arrivals {
  const arrivals = arrivalsOf(rows, commit, arrive()(series, commit.rows, { via, at: commit.at }));
  follows().name(commit, arrivals.named);
  return arrivals;
}

interface StoredEvent extends Arrival {
  readonly event: string;
}

/** Events of one statement: few sizes, since each statement keeps a copy of the pages that it touches. */
const SIZES = [64, 16, 4, 1];

/** Writes events into the journal; tells of each, row by row, whether it was known. */
function arrivalWriter(db: SqliteConnection) {
  const find = bySize((count) =>
    db.prepare<unknown[], StoredEvent>(
      `select event, position, timestamp as known from journal where event in (${listed('?', count)}) and series = ?`,
    ),
  );
  const insert = bySize((count) =>
    db.prepare(
      `insert or fail into journal (series, event, timestamp, currency, indicator, release, text)
       values ${listed('(?, ?, ?, ?, ?, ?, ?)', count)}`,
    ),
  );
  const arrive = bySize((count) =>
    db.prepare(`insert or ignore into arrivals (position, via, at) values ${listed('(?, ?, ?)', count)}`),
  );

  /** Positions are counted in the order of the rows: who follows the journal reads them in it. */
  function keep(series: number, events: readonly ReleaseEvent[]): ReadonlyMap<string, number> {
    const positions = new Map<string, number>();
    for (const some of slicesOf(events, SIZES)) {
      const values: (string | number | null)[] = [];
      for (const { eventId, timestamp, currency, indicator, release, text } of some)
        values.push(series, eventId, timestamp, currency, indicator, release ?? null, text);
      const last = Number(insert(some.length).run(values).lastInsertRowid);
      for (const [i, { eventId }] of some.entries()) positions.set(storedId(eventId), last - some.length + 1 + i);
    }
    return positions;
  }

  return (series: number, rows: readonly NewRow[], { via, at }: { via: Via; at: number }): readonly Arrival[] => {
    const events = rows.map(releaseEventOf);
    // Looked up first: an insert that meets a known event would use up a position.
    const known = new Map<string, Arrival>();
    for (const some of slicesOf(events, SIZES))
      for (const { event, ...arrival } of find(some.length).all(...some.map(({ eventId }) => eventId), series))
        known.set(event, arrival);
    const arrivals = arrivalsInOrder(events, known, keep(series, unknownAmong(events, known)));
    for (const some of slicesOf(arrivals, SIZES))
      arrive(some.length).run(some.flatMap(({ position }) => [position, via, at]));
    return arrivals;
  };
}

/** Statements by how many rows they take, each prepared once. */
function bySize<Prepared>(prepare: (count: number) => Prepared): (count: number) => Prepared {
  const prepared = new Map<number, Prepared>();
  return (count) => {
    const statement = prepared.get(count) ?? prepare(count);
    prepared.set(count, statement);
    return statement;
  };
}

const listed = (marks: string, count: number): string => Array(count).fill(marks).join(', ');
