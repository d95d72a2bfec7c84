import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mapping } from '../../contract/mapping.ts';
import { dateOf } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Mirror, MirrorReader, SnapshotReader } from '../api/mirror.ts';
import type { AccessTag, CoverageInterval, SeriesKey } from '../api/series.ts';
import type { Verification, VerifyAsk } from '../api/verification.ts';
import { lateDaysOf, newestCertain } from '../rules/coverage.ts';
import { coveredSelection, whereOf } from '../rules/select.ts';
import { once, type Shared, sharedOf } from '../rules/tables.ts';
import { bindService } from '../statements/binding.ts';
import { createCheckLog } from '../statements/checks.ts';
import { createJournal } from '../statements/journal.ts';
import { createOutbox } from '../statements/outbox.ts';
import { createFileHistory, createRunLog } from '../statements/runs.ts';
import { sqliteLedger } from './access.ts';
import type { committer } from './commit.ts';
import { BUSY_TIMEOUT, closingOnError, connectForReading, connectForSnapshot, connectForWriting } from './connect.ts';
import { coverageWriter, datedProofReader } from './coverage.ts';
import { openFileOf, type SqliteConnection, statementsOf } from './database-file.ts';
import { mirrorFailure, translating } from './failures.ts';
import { ledgerOf, type SeriesLedger } from './ledger.ts';
import { lockConsumer, lockSync } from './lock.ts';
import { pageReader } from './pages.ts';
import { createReader } from './reader.ts';
import { matchSchema } from './schema-match.ts';
import { absentMirror, emptyMirror, readState, requireOwnVersion, writeTransaction } from './version.ts';

export interface OpenOptions {
  readonly path: string;
  /** Mappings by endpoint id. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly platform: Pick<Platform, 'clock' | 'random' | 'files'>;
  readonly mode: 'write' | 'read';
  /** Milliseconds to wait for another program's transaction. */
  readonly busyTimeout?: number;
}

/** Connections that hold a snapshot at once; further ones wait for their turn. */
const MAX_SNAPSHOTS = 8;

interface Seat {
  readonly db: SqliteConnection;
  readonly reader: SnapshotReader;
}

/** Opens the mirror of a file; in `write` mode it is made when absent. */
export async function openMirror(options: OpenOptions): Promise<Mirror> {
  const { path } = options;
  // Whoever only reads needs none of it, and a start is short.
  const writing = options.mode === 'write' ? (await import('./commit.ts')).committer : undefined;
  return translating(path, () => {
    const shared = sharedOf(path, options.mappings, 'short');
    const db = options.mode === 'write' ? openForWriting(options, shared) : openForReading(options);
    const { files, clock } = options.platform;
    return mirrorOver(db, shared, { writing, files, clock, timeout: options.busyTimeout ?? BUSY_TIMEOUT });
  });
}

function openForWriting({ path, platform, busyTimeout, mappings }: OpenOptions, shared: Shared): SqliteConnection {
  makeFolder(path);
  const id = Buffer.from(platform.random.bytes(16)).toString('hex');
  const db = connectForWriting(path, { id, created: platform.clock.now() }, busyTimeout ?? BUSY_TIMEOUT);
  return closingOnError(db, () => {
    const stored = db.prepare<[], string>('select distinct endpoint from series').pluck().all();
    for (const endpoint of stored) {
      const table = Object.hasOwn(mappings, endpoint) ? shared.table(endpoint) : undefined;
      if (table) matchSchema(db, table, path);
    }
  });
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (cause) {
    throw new MacroError('mirror', `The folder of the mirror ${path} cannot be made.`, {
      hint: 'Check the permissions, or name another file with --mirror.',
      code: 'mirror_unusable',
      cause,
    });
  }
}

function openForReading({ path, busyTimeout }: OpenOptions): SqliteConnection {
  if (!existsSync(path)) throw absentMirror(`There is no mirror at ${path}.`);
  const db = connectForReading(path, busyTimeout ?? BUSY_TIMEOUT);
  return closingOnError(db, () => {
    if (readState(db, path) === 'empty') throw emptyMirror(path);
  });
}

interface Writing extends Pick<Platform, 'clock'> {
  readonly files: Pick<Platform['files'], 'sync'>;
  readonly writing: typeof committer | undefined;
  readonly timeout: number;
}

/**
 * The mirror's operations over an open file. What is asked of the mirror itself goes through `db` and sees the latest
 * commit; snapshots have connections of their own. Every error of the driver is translated here.
 */
function mirrorOver(db: SqliteConnection, shared: Shared, { writing, files, timeout, clock }: Writing): Mirror {
  const { path } = shared;
  const file = openFileOf(db, path);
  const ledger = ledgerOf(db, path);
  const access = sqliteLedger(db, file);
  const dataVersion = db.prepare('pragma data_version').pluck();
  const snapshots = createSnapshots(path, () => {
    const own = connectForSnapshot(path, timeout);
    const reader = translated(createReader(own, shared), (read) => failing(path, read));
    return { db: own, reader: { ...reader, seen: undefined } };
  });
  // The version that SQLite counts is that of the others' commits.
  let changes = 0;
  const changing = async <T>(work: () => T): Promise<T> => {
    changes += 1;
    return file.run(work);
  };
  const commit = writing ? once(() => writing(db, shared, ledger)) : refuseToWrite(path);
  const dropWalk = once(() => walkDropper(db, path, ledger));
  const confirm = once(() => confirmer(db, shared, ledger));
  const runs = createRunLog(access);
  const checkLog = createCheckLog(access);
  // What was read of a file that is no longer there, or that another version has upgraded meanwhile, is no answer.
  const requireOwnFile = () => {
    file.requireSame();
    requireOwnVersion(db, path);
  };
  const state = () => {
    file.requireSame();
    return translating(path, () => Number(dataVersion.get()) + changes);
  };
  let looked: { readonly turn: number; readonly others: number } | undefined;
  const stateOfTurn = () => {
    const turn = clock.turn();
    if (looked?.turn !== turn) looked = { turn, others: state() - changes };
    return looked.others + changes;
  };
  const readNow: Reading = (read) => failing(path, read.finally(requireOwnFile));
  const answers = { ...translated(createReader(db, shared), readNow), ...ledgerAnswers(ledger, readNow) };
  return {
    ...answers,
    name: path,
    look: async () => state(),
    state: (of) => (of === undefined ? state() : stateOfTurn()),
    commitPage: (page) => changing(() => commit().page(page)),
    commitPages: (pages) => changing(() => commit().stream(pages)),
    commitStream: (_endpoints, commits) => changing(() => commit().stream(commits)),
    rehearseStream: async (_endpoints, commits) => file.run(() => commit().rehearse(commits)),
    // Commits stand in the log until SQLite brings them into the file, which it syncs by itself. The log lies beside the file
    // that a link points at.
    flush: async () => file.run(() => files.sync(`${realpathSync(path)}-wal`)),
    dropWalk: (series, access) => changing(() => dropWalk()(series, access)),
    confirmFollowed: (endpoint, access, at) => changing(() => confirm()(endpoint, access, at)),
    bind(binding) {
      changes += 1;
      return access.change(() => bindService(binding));
    },
    lockSync: () => lockSync(path, runs),
    lockConsumer: (name) => lockConsumer(path, name),
    ...checkLog,
    noteCheck(...noted) {
      changes += 1;
      return checkLog.noteCheck(...noted);
    },
    ...runs,
    startRun(run) {
      changes += 1;
      return runs.startRun(run);
    },
    endRun(id, end) {
      changes += 1;
      return runs.endRun(id, end);
    },
    journal: createJournal(access),
    outbox: createOutbox(access),
    files: createFileHistory({
      all: ({ sql, values }) =>
        readNow(
          atOnce(() =>
            statementsOf(db)
              .raw<never>(sql)
              .all(...values),
          ),
        ),
      table: shared.table,
    }),
    // What is in memory is a copy that nobody commits to.
    async snapshot(read) {
      file.requireSame();
      return db.memory ? read({ ...answers, seen: undefined }) : failing(path, snapshots.run(read));
    },
    viewRows: async (ask, take) => {
      const { readView } = await import('./read-view.ts');
      return failing(path, readView(shared, ask, take));
    },
    verify: async (ask) => failing(path, verifyOver(connectForReading(path, timeout), shared, ask)),
    close() {
      snapshots.close();
      db.close();
    },
  };
}

/** A check has a connection of its own, so that it sees one state however long it takes. */
async function verifyOver(db: SqliteConnection, shared: Shared, ask: VerifyAsk | undefined): Promise<Verification> {
  try {
    const [{ verifyMirror }, { fileEvidence }] = await Promise.all([
      import('../rules/verify.ts'),
      import('./evidence.ts'),
    ]);
    db.exec('begin');
    requireOwnVersion(db, shared.path);
    return await verifyMirror(fileEvidence(db, shared.path), shared, ask);
  } finally {
    db.close();
  }
}

function refuseToWrite(path: string) {
  return (): never => {
    throw new MacroError('mirror', `The mirror ${path} was opened for reading only.`, { code: 'mirror_read_only' });
  };
}

/** Dropping a walk is a transaction of its own. */
function walkDropper(db: SqliteConnection, path: string, { series, walks }: SeriesLedger) {
  return writeTransaction(db, path, (key: SeriesKey, access: AccessTag) => {
    const stored = series().get(key);
    if (stored) walks().drop(stored.id, access);
  });
}

/** How something is read, errors included. */
type Reading = <T>(read: Promise<T>) => Promise<T>;

function ledgerAnswers(
  ledger: SeriesLedger,
  reading: Reading,
): Pick<Mirror, 'stamp' | 'paginationRun' | 'validator' | 'follows'> {
  return {
    stamp: () => reading(atOnce(() => ledger.stamp().read())),
    paginationRun: (series, access) =>
      reading(
        atOnce(() => {
          const stored = ledger.series().get(series);
          return stored && ledger.walks().get(stored.id, access);
        }),
      ),
    follows: (endpoint, access) => reading(atOnce(() => ledger.follows().list(endpoint, access))),
    validator: (access, question) => reading(atOnce(() => ledger.validators().get(access, question))),
  };
}

/** Does something now, and gives what it throws as a rejection. */
async function atOnce<T>(work: () => T): Promise<T> {
  return work();
}

async function failing<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw mirrorFailure(path, error);
  }
}

function translated(reader: MirrorReader, reading: Reading): MirrorReader {
  return {
    find: (ref, time) => reading(reader.find(ref, time)),
    count: (series, selection) => reading(reader.count(series, selection)),
    rows: (series, selection, page) => reading(reader.rows(series, selection, page)),
    texts: (series, selection) => reading(reader.texts(series, selection)),
    columns: (series, selection, names) => reading(reader.columns(series, selection, names)),
    vintages: (series, key, selection) => reading(reader.vintages(series, key, selection)),
    knowledge: (series, asOf) => reading(reader.knowledge(series, asOf)),
    timeline: (series) => reading(reader.timeline(series)),
    knownTexts: (series, ask) => reading(reader.knownTexts(series, ask)),
    commit: (number) => reading(reader.commit(number)),
    changes: (series) => reading(reader.changes(series)),
    differences: (series, page) => reading(reader.differences(series, page)),
    lineage: (series, key) => reading(reader.lineage(series, key)),
    proofs: (series, access) => reading(reader.proofs(series, access)),
    checkOf: (series, access) => reading(reader.checkOf(series, access)),
  };
}

/** Read transactions on connections of their own, which neither hold up nor see commits, nor mix. */
function createSnapshots(path: string, open: () => Seat) {
  const seats: Seat[] = [];
  const free: Seat[] = [];
  const waiting: ((seat: Seat) => void)[] = [];

  async function take(): Promise<Seat> {
    const seat = free.pop();
    if (seat) return seat;
    if (seats.length >= MAX_SNAPSHOTS) return new Promise((resolve) => void waiting.push(resolve));
    const opened = open();
    seats.push(opened);
    return opened;
  }

  function give(seat: Seat): void {
    const next = waiting.shift();
    if (next) next(seat);
    else free.push(seat);
  }

  return {
    async run<T>(read: (reader: SnapshotReader) => Promise<T>): Promise<T> {
      const seat = await take();
      try {
        seat.db.exec('begin');
        // A transaction stands still from its first read on, which is this one.
        requireOwnVersion(seat.db, path);
        return await read(seat.reader);
      } finally {
        if (seat.db.open && seat.db.inTransaction) seat.db.exec('commit');
        give(seat);
      }
    },
    close() {
      for (const { db } of seats) db.close();
    },
  };
}

/**
 * Renews the newest proof of each followed series to now and today, since its feed would have named it. Rows behind its
 * old end are counted in. Thousands are one transaction.
 */
function confirmer(db: SqliteConnection, shared: Shared, { follows, series, sums }: SeriesLedger) {
  const looksAt = datedProofReader(db);
  const addProof = coverageWriter(db);
  const statements = statementsOf(db);
  const renew = db.prepare(
    'update proofs set proven_at = ? where series = ? and access = ? and starts = ? and ends = ?',
  );
  const lastCommit = db.prepare<[], number>('select coalesce(max(number), 0) from commits').pluck();
  return writeTransaction(db, shared.path, (endpoint: string, access: AccessTag, at: number): number => {
    const table = shared.table(endpoint);
    if (!table) return 0;
    const page = pageReader(statements, table, () => 0);
    const commit = lastCommit.get() ?? 0;
    const unnamed = follows()
      .list(endpoint, access)
      .filter(({ due }) => due === undefined);
    for (const { series: id } of unnamed) {
      const newest = newestCertain(looksAt(table, id, access), lateDaysOf(table));
      if (!newest || newest.provenAt >= at) continue;
      const today = dateOf(at);
      const to = newest.to > today ? newest.to : today;
      const countRows = (from: CoverageInterval['from'], end: CoverageInterval['to']) =>
        page.count(whereOf(table, id, coveredSelection(table, { from, to: end })));
      // On the same day the window is the same, and so is what was counted in it.
      if (to === newest.to) renew.run(at, id, access, newest.from, newest.to);
      else
        addProof(
          { table, series: id, access },
          {
            proof: { from: newest.from, to, rows: countRows(newest.from, to), provenAt: at },
            commit,
            countRows,
          },
        );
      sums().sealProofs(id);
      series().check(id, at);
      sums().sealSeries(id);
    }
    return unnamed.length;
  });
}
