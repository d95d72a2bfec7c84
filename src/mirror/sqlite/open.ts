import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mapping } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Mirror, SnapshotReader } from '../api/mirror.ts';
import type { Verification, VerifyAsk } from '../api/verification.ts';
import { createTurns } from '../rules/in-batches.ts';
import { once, type Shared, sharedOf } from '../rules/tables.ts';
import type { EngineWork, Writer } from '../statements/engine.ts';
import { doNow } from '../statements/engine.ts';
import { createJournal } from '../statements/journal.ts';
import { createOutbox } from '../statements/outbox.ts';
import { createReader, type Reading as EngineReading, readStamp } from '../statements/reader.ts';
import { createCheckLog, createFileLog, createRunLog } from '../statements/runs.ts';
import { bindService } from '../statements/series.ts';
import type { Transactions } from '../statements/transactions.ts';
import type { createChanges } from './changes.ts';
import { BUSY_TIMEOUT, closingOnError, connectForReading, connectForSnapshot, connectForWriting } from './connect.ts';
import { type OpenFile, openFileOf, type SqliteConnection } from './database-file.ts';
import { sqliteEngine } from './engine.ts';
import { mirrorFailure, translating } from './failures.ts';
import { lockConsumer, lockSync } from './lock.ts';
import { matchSchema } from './schema-match.ts';
import { absentMirror, emptyMirror, readState, requireOwnVersion, writeTransaction } from './version.ts';
import { sqliteWriter } from './writer.ts';

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
  const writing = options.mode === 'write' ? (await import('./changes.ts')).createChanges : undefined;
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
  readonly writing: typeof createChanges | undefined;
  readonly timeout: number;
}

/**
 * The mirror's operations over an open file. Direct reads use `db` and see the latest commit; snapshots have
 * connections of their own. Every error of the driver is translated here.
 */
function mirrorOver(db: SqliteConnection, shared: Shared, { writing, files, timeout, clock }: Writing): Mirror {
  const { path } = shared;
  const file = openFileOf(db, path);
  const dataVersion = db.prepare('pragma data_version').pluck();
  const snapshots = createSnapshots(path, () => {
    const own = connectForSnapshot(path, timeout);
    const reading = readingOn(own, shared);
    return { db: own, reader: { ...createReader((work) => failing(path, reading(work)), shared), seen: undefined } };
  });
  // The version that SQLite counts is that of the others' commits.
  let changes = 0;
  const changing = async <T>(work: () => T): Promise<T> => {
    changes += 1;
    return file.run(work);
  };
  const commit = writing ? once(() => writing(db, shared)) : refuseToWrite(path);
  // A read is no answer if its file was replaced, or upgraded by another version meanwhile.
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
  const reads = readingOn(db, shared);
  const reading: EngineReading = (work) => readNow(reads(work));
  const access = fileTransactions(db, file, shared, reading);
  const counted: Transactions = {
    ...access,
    change(work) {
      changes += 1;
      return access.change(work);
    },
    changeOwn(work) {
      changes += 1;
      return access.changeOwn(work);
    },
  };
  const runs = createRunLog(counted);
  const reader = createReader(reading, shared);
  const stamp = () => reading((engine) => readStamp(engine, path));
  const answers = { ...reader, stamp };
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
    dropWalk: (series, access) => changing(() => commit().dropRun(series, access)),
    confirmFollowed: (endpoint, access, at) => changing(() => commit().confirm(endpoint, { access, at })),
    bind: (binding) => counted.change((writer) => bindService(writer, binding)),
    lockSync: () => lockSync(path, runs),
    lockConsumer: (name) => lockConsumer(path, name),
    ...createCheckLog(counted),
    ...runs,
    journal: createJournal(access),
    outbox: createOutbox(access),
    files: createFileLog(reading, shared.table),
    // A mirror in memory is a copy without further commits.
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
    const [{ verifyMirror }, { factsOfFile: fileEvidence }] = await Promise.all([
      import('../rules/verify.ts'),
      import('./facts-to-verify.ts'),
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

/** How something is read, errors included. */
type Reading = <T>(read: Promise<T>) => Promise<T>;

async function failing<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw mirrorFailure(path, error);
  }
}

/** Reads on a connection. Several statements see one state, inside of a snapshot or not. */
function readingOn(db: SqliteConnection, shared: Shared): EngineReading {
  const engine = once(() => sqliteEngine(db, shared));
  const atOnce = once(() => db.transaction((read: () => unknown) => read()));
  return async (work) => {
    const read = () => doNow(work(engine()));
    return db.inTransaction ? read() : (atOnce()(read) as ReturnType<typeof read>); // what it is given
  };
}

/** Read transactions on connections of their own, which neither hold up nor see commits, nor mix. */
function createSnapshots(path: string, open: () => Seat) {
  const seats: Seat[] = [];
  const free: Seat[] = [];
  const inTurn = createTurns(MAX_SNAPSHOTS);

  function opened(): Seat {
    const seat = open();
    seats.push(seat);
    return seat;
  }

  return {
    run: <T>(read: (reader: SnapshotReader) => Promise<T>): Promise<T> =>
      inTurn(async () => {
        const seat = free.pop() ?? opened();
        try {
          seat.db.exec('begin');
          // A transaction stands still from its first read on, which is this one.
          requireOwnVersion(seat.db, path);
          return await read(seat.reader);
        } finally {
          if (seat.db.open && seat.db.inTransaction) seat.db.exec('commit');
          free.push(seat);
        }
      }),
    close() {
      for (const { db } of seats) db.close();
    },
  };
}

/** Transactions of an open file. */
function fileTransactions(
  db: SqliteConnection,
  file: OpenFile,
  shared: Shared,
  read: Transactions['read'],
): Transactions {
  const writer = once(() => sqliteWriter(db, shared));
  const inTransaction = once(() => writeTransaction(db, shared.path, (work: () => unknown) => work()));
  // One transaction does all kinds of work, so its type does not carry the result of each through.
  const change = async <T>(work: (engine: Writer) => EngineWork<T>) =>
    file.run(() => inTransaction()(() => doNow(work(writer()))) as T);
  return { read, change, changeOwn: change };
}
