import type { CommitReport, PageCommit } from '../api/mirror.ts';
import { checkedAtFirst, countsOf, isChange, newEnvelope } from '../core/commit/commit-rules.ts';
import { reportsIn, TakenBack } from '../core/commit/rehearsal.ts';
import { withSingleMembers } from '../core/commit/single-texts.ts';
import { insideWindow } from '../core/commit/vanish.ts';
import { writeRows } from '../core/commit/write-rows.ts';
import type { Digest } from '../core/digest.ts';
import { type Prepared, prepareRows } from '../core/rows.ts';
import type { Shared } from '../core/shared.ts';
import { addTo, type ChecksumChange, noChecksumChange } from '../core/sums.ts';
import type { Table } from '../core/tables.ts';
import { commitFact } from '../ledger/facts.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import type { SqliteConnection } from './database-file.ts';
import { writeArrivals } from './ledger/arrivals.ts';
import { progressWriter } from './ledger/progress.ts';
import type { SeriesLedger } from './ledger/series-ledger.ts';
import { writeTransaction } from './own-version.ts';
import { type TableWriters, tableWriters } from './rows/table-writers.ts';

/**
 * Commits answers, all of them or none. Walk: take key and columns out of the rows, which refuses a broken page before anything
 * is written; then in one transaction, answer by answer, check whose answers the file holds, make the tables that it lacks, write
 * rows and find the vanished, note the envelope, and only when something that can be read has changed record a commit and move
 * the series' generation; walk, proof, validator and freshness are noted in any case. Sums are moved once a series. Nothing in
 * it waits, so no other program waits long.
 */
export function committer(db: SqliteConnection, shared: Shared, ledger: SeriesLedger) {
  const writers = tableWriters(db, shared);
  const commitOne = pageCommitter(db, ledger, writers);
  const { path } = shared;
  const one = writeTransaction(db, path, (page: PlacedCommit) => movingSums(ledger, (moved) => commitOne(page, moved)));
  const each = (commits: Iterable<PageCommit>) =>
    movingSums(ledger, (moved) => Array.from(commits, (commit) => commitOne(placed(writers, commit), moved)));
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

/** What a transaction adds to the sums of each series that it writes. */
type MovedSums = Map<number, ChecksumChange>;

function movingSums<T>({ sums }: SeriesLedger, write: (moved: MovedSums) => T): T {
  const moved: MovedSums = new Map();
  const written = write(moved);
  for (const [series, change] of moved) {
    sums.move(series, change);
    sums.sealSeries(series);
  }
  return written;
}

/** An answer with its rows as they go into their table. */
interface PlacedCommit {
  readonly commit: PageCommit;
  readonly table: Table;
  readonly rows: readonly Prepared[];
}

/** Writes one answer, and notes in `moved` what that does to the sums of its series. */
function pageCommitter(db: SqliteConnection, ledger: SeriesLedger, { writerOf }: TableWriters) {
  const last = db.prepare<[], { number: number; at: number }>(
    'select number, at from commits order by number desc limit 1',
  );
  const record = commitWriter(db);
  const noteProgress = progressWriter(db, ledger);

  return ({ commit, table, rows }: PlacedCommit, moved: MovedSums): CommitReport => {
    if (ledger.stamp.check(commit)) ledger.sums.sealStamp();
    const writer = writerOf(table);
    const before = last.get() ?? { number: 0, at: 0 };
    const number = before.number + 1;
    const stored = ledger.series.get(commit.series);
    const id = stored?.id ?? ledger.series.add(commit.series, number, checkedAtFirst(commit));
    const change = moved.get(id) ?? noChecksumChange();
    moved.set(id, change);
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
    if (envelope) ledger.series.describe(id, { ...envelope, commit: number });
    const changed = isChange(commit, stored, { rowsChanged: counted.changed, envelope });
    if (changed) {
      // A clock that went back must not put a commit before an earlier one.
      const at = Math.max(commit.at, before.at);
      const row = { number, at, series: id, access: commit.access, request: commit.request, ...countsOf(counted) };
      addTo(change.commits, record(row));
      ledger.series.advance(id, number);
    }
    const { heldBack } = counted;
    const latest = changed ? number : before.number;
    noteProgress(writer, rows, { commit, id, number: latest, heldBack });
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
