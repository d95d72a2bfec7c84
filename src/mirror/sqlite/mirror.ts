import { MacroError } from '../../errors.ts';
import type { AccessTag, Mirror, MirrorReader, SeriesKey } from '../api/mirror.ts';
import type { Verification, VerifyAsk } from '../api/verification.ts';
import { once } from '../core/once.ts';
import type { Shared } from '../core/shared.ts';
import { createFileHistory } from '../ledger/file-history.ts';
import { createJournal } from '../ledger/journal.ts';
import { createOutbox } from '../ledger/outbox.ts';
import { createRunLog } from '../ledger/runs.ts';
import { committer } from './commit.ts';
import { connectForReading, connectForSnapshot } from './connect.ts';
import type { SqliteConnection } from './database-file.ts';
import { mirrorFailure, translating } from './failures.ts';
import { sqliteLedger } from './ledger/access.ts';
import { confirmer } from './ledger/confirm.ts';
import { ledgerOf, type SeriesLedger } from './ledger/series-ledger.ts';
import { lockConsumer, lockSync } from './lock.ts';
import { openFileOf } from './open-file.ts';
import { requireOwnVersion, writeTransaction } from './own-version.ts';
import { createReader } from './rows/reader.ts';
import { createSnapshots } from './snapshots.ts';
import { statementsOf } from './statements.ts';

/**
 * The mirror's operations over an open file. What is asked of the mirror itself goes through `db` and sees the latest
 * commit; snapshots have connections of their own. Every error of the driver is translated here.
 */
export function mirrorOver(
  db: SqliteConnection,
  shared: Shared,
  { mode, timeout }: { mode: 'write' | 'read'; timeout: number },
): Mirror {
  const { path } = shared;
  const file = openFileOf(db, path);
  const ledger = ledgerOf(db, path);
  const access = sqliteLedger(db, file);
  const dataVersion = db.prepare('pragma data_version').pluck();
  const snapshots = createSnapshots(path, () => {
    const own = connectForSnapshot(path, timeout);
    return { db: own, reader: translated(createReader(own, shared), (read) => failing(path, read)) };
  });
  // The version that SQLite counts is that of the others' commits.
  let changes = 0;
  const changing = async <T>(work: () => T): Promise<T> => {
    changes += 1;
    return file.run(work);
  };
  // Whoever only reads needs none of these, and a start is short.
  const commit = mode === 'write' ? once(() => committer(db, shared, ledger)) : refuseToWrite(path);
  const dropWalk = once(() => walkDropper(db, path, ledger));
  const confirm = once(() => confirmer(db, shared, ledger));
  const runs = createRunLog(access);
  const version = () => translating(path, () => Number(dataVersion.get()) + changes);
  // Outside of a transaction the file may have been upgraded meanwhile: then neither what was read nor what failed is an answer.
  const readNow: Reading = (read) =>
    failing(
      path,
      read.finally(() => requireOwnVersion(db, path)),
    );
  const answers = { ...translated(createReader(db, shared), readNow), ...ledgerAnswers(ledger, readNow) };
  return {
    ...answers,
    name: path,
    version,
    state() {
      file.requireSame();
      return version();
    },
    commitPage: (page) => changing(() => commit().page(page)),
    commitPages: (pages) => changing(() => commit().stream(pages)),
    commitStream: (_endpoints, commits) => changing(() => commit().stream(commits)),
    rehearseStream: async (_endpoints, commits) => file.run(() => commit().rehearse(commits)),
    dropWalk: (series, access) => changing(() => dropWalk()(series, access)),
    confirmFollowed: (endpoint, access, at) => changing(() => confirm()(endpoint, access, at)),
    lockSync: () => lockSync(path, runs),
    lockConsumer: (name) => lockConsumer(path, name),
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
      return db.memory ? read(answers) : failing(path, snapshots.run(read));
    },
    viewRows: async (ask, take) => {
      const { readView } = await import('./rows/read-view.ts');
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
      import('../verify/verify.ts'),
      import('./rows/evidence.ts'),
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
    const stored = series.get(key);
    if (stored) walks.drop(stored.id, access);
  });
}

/** How something is read, errors included. */
type Reading = <T>(read: Promise<T>) => Promise<T>;

function ledgerAnswers(
  ledger: SeriesLedger,
  reading: Reading,
): Pick<Mirror, 'stamp' | 'paginationRun' | 'validator' | 'follows'> {
  return {
    stamp: () => reading(atOnce(() => ledger.stamp.read())),
    paginationRun: (series, access) =>
      reading(
        atOnce(() => {
          const stored = ledger.series.get(series);
          return stored && ledger.walks.get(stored.id, access);
        }),
      ),
    follows: (endpoint, access) => reading(atOnce(() => ledger.follows.list(endpoint, access))),
    validator: (access, question) => reading(atOnce(() => ledger.validators.get(access, question))),
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
    find: (ref) => reading(reader.find(ref)),
    count: (series, selection) => reading(reader.count(series, selection)),
    rows: (series, selection, page) => reading(reader.rows(series, selection, page)),
    texts: (series, selection) => reading(reader.texts(series, selection)),
    columns: (series, selection, names) => reading(reader.columns(series, selection, names)),
    vintages: (series, key, selection) => reading(reader.vintages(series, key, selection)),
    knowledge: (series, asOf) => reading(reader.knowledge(series, asOf)),
    timeline: (series) => reading(reader.timeline(series)),
    changes: (series) => reading(reader.changes(series)),
    differences: (series, page) => reading(reader.differences(series, page)),
    lineage: (series, key) => reading(reader.lineage(series, key)),
    proofs: (series, access) => reading(reader.proofs(series, access)),
  };
}
