import type { CommitReport, PageCommit } from '../api/mirror.ts';
import { countsOf, isChange, newEnvelope } from '../core/commit/commit-rules.ts';
import { reportsIn, TakenBack } from '../core/commit/rehearsal.ts';
import { withSingleMembers } from '../core/commit/single-texts.ts';
import { insideWindow } from '../core/commit/vanish.ts';
import { writeRows } from '../core/commit/write-rows.ts';
import type { Digest } from '../core/digest.ts';
import { type Prepared, prepareRows } from '../core/rows.ts';
import type { Shared } from '../core/shared.ts';
import { addTo } from '../core/sums.ts';
import type { Table } from '../core/tables.ts';
import { commitFact } from '../ledger/facts.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import type { SqliteConnection } from './database-file.ts';
import { writeArrivals } from './ledger/arrivals.ts';
import { type LedgerBatch, ledgerBatch } from './ledger/batch.ts';
import { progressWriter } from './ledger/progress.ts';
import type { SeriesLedger } from './ledger/series-ledger.ts';
import { writeTransaction } from './own-version.ts';
import { type TableWriters, tableWriters } from './rows/table-writers.ts';

/**
 * Commits answers, all of them or none. Walk: take key and columns out of the rows, which refuses a broken page before anything
 * is written; then in one transaction, answer by answer, check whose answers the file holds, make the tables that it lacks, write
 * rows and find the vanished, note the envelope, and only when something that can be read has changed record a commit and move
 * the series' generation; walk, proof, validator and freshness are noted in any case. Series, sums and walks are written once, at
 * the end of it. Nothing in it waits, so no other program waits long.
 */
export function committer(db: SqliteConnection, shared: Shared, ledger: SeriesLedger) {
  const writers = tableWriters(db, shared);
  const commitOne = pageCommitter(db, ledger, writers);
  const { path } = shared;
  const lastCommit = db.prepare<[], LastCommit>('select number, at from commits order by number desc limit 1');
  const inBatch = <T>(write: (batch: Batch) => T): T => {
    const shares = ledgerBatch(ledger);
    const written = write({ ...shares, last: lastCommit.get() ?? { number: 0, at: 0 } });
    shares.end();
    return written;
  };
  const one = writeTransaction(db, path, (page: PlacedCommit) => inBatch((batch) => commitOne(page, batch)));
  const each = (commits: Iterable<PageCommit>) =>
    inBatch((batch) => Array.from(commits, (commit) => commitOne(placed(writers, commit), batch)));
  const all = writeTransaction(db, path, each);
  const none = writeTransaction(db, path, (commits: Iterable<PageCommit>): never => {
    throw new TakenBack(each(commits));
  });
  return {
    page(commit: PageCommit): CommitReport {
      const page = placed(writers, commit);
      return writers.within(() => one(page));
    },
    stream: (commits: Iterable<PageCommit>): readonly CommitReport[] => writers.within(() => all(commits)),
    rehearse(commits: Iterable<PageCommit>): readonly CommitReport[] {
      try {
        return writers.within(() => none(commits));
      } catch (error) {
        return reportsIn(error);
      }
    },
  };
}

function placed({ tableOf }: TableWriters, received: PageCommit): PlacedCommit {
  const commit = withSingleMembers(received);
  const table = tableOf(commit.series.endpoint);
  return { commit, table, rows: insideWindow(table, prepareRows(table, commit.rows), commit.window) };
}

type LastCommit = Pick<LedgerSchema['commits'], 'number' | 'at'>;

interface Batch extends LedgerBatch {
  last: LastCommit;
}

/** An answer with its rows as they go into their table. */
interface PlacedCommit {
  readonly commit: PageCommit;
  readonly table: Table;
  readonly rows: readonly Prepared[];
}

/** Writes one answer of a batch. */
function pageCommitter(db: SqliteConnection, ledger: SeriesLedger, { writerOf }: TableWriters) {
  const record = commitWriter(db);
  const noteProgress = progressWriter(db, ledger);

  return ({ commit, table, rows }: PlacedCommit, batch: Batch): CommitReport => {
    batch.checkStamp(commit);
    const writer = writerOf(table);
    const before = batch.last;
    const number = before.number + 1;
    const { id, stored, change } = batch.seriesOf(commit, number);
    const via = commit.arrived?.via;
    const events = via && writeArrivals(ledger, rows, { commit, via, series: id });
    const counted = writeRows(writer, events?.taken ?? rows, {
      commit,
      series: id,
      number,
      checksum: change,
      replaced: events?.replaced ?? [],
    });
    const envelope = newEnvelope(commit, stored, counted);
    const changed = isChange(commit, stored, { rowsChanged: counted.changed, envelope });
    if (changed) {
      // A clock that went back must not put a commit before an earlier one.
      const at = Math.max(commit.at, before.at);
      const row = { number, at, series: id, access: commit.access, request: commit.request, ...countsOf(counted) };
      addTo(change.commits, record(row));
      batch.alter(id, { generation: number, ...(envelope && { envelope: { ...envelope, commit: number } }) });
      batch.last = { number, at };
    }
    const { heldBack } = counted;
    const latest = changed ? number : before.number;
    noteProgress(writer, rows, { commit, id, number: latest, heldBack, batch });
    return { commit: latest, ...countsOf(counted), ...(events && { arrived: events.arrived }) };
  };
}

function commitWriter(db: SqliteConnection): (row: LedgerSchema['commits']) => Digest {
  const insert = db.prepare(
    `insert into commits (number, at, series, access, request, added, revised, vanished, unchanged)
     values (:number, :at, :series, :access, :request, :added, :revised, :vanished, :unchanged)`,
  );
  return (row) => {
    insert.run(row);
    return commitFact(row);
  };
}
