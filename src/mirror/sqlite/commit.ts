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
import { commitFact } from '../ledger/facts.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import type { SqliteConnection } from './database-file.ts';
import { writeArrivals } from './ledger/arrivals.ts';
import { progressWriter } from './ledger/progress.ts';
import type { SeriesLedger } from './ledger/series-ledger.ts';
import { writeTransaction } from './own-version.ts';
import { type TableWriter, tableWriters } from './rows/table-writers.ts';

/**
 * Commits answers, all of them or none. Walk: take key and columns out of the rows, which refuses a broken page before anything
 * is written; then in one transaction, answer by answer, check whose answers the file holds, write rows and find the vanished,
 * note the envelope, and only when something that can be read has changed record a commit and move the series' generation; walk,
 * proof, validator and freshness are noted in any case. Sums are moved once a series. Nothing in it waits, so no other program
 * waits long.
 */
export function committer(db: SqliteConnection, shared: Shared, ledger: SeriesLedger) {
  const writerOf = tableWriters(db, shared);
  const commitOne = pageCommitter(db, ledger);
  const place = (received: PageCommit) => placeWith(writerOf, received);
  const { path } = shared;
  const one = writeTransaction(db, path, (page: PlacedCommit) => movingSums(ledger, (moved) => commitOne(page, moved)));
  const all = writeTransaction(db, path, (commits: Iterable<PageCommit>) =>
    movingSums(ledger, (moved) => Array.from(commits, (commit) => commitOne(place(commit), moved))),
  );
  return {
    page: (commit: PageCommit): CommitReport => one(place(commit)),
    /** Tables are made before the transaction: one that fails must not take them back. */
    stream(endpoints: readonly string[], commits: Iterable<PageCommit>): readonly CommitReport[] {
      for (const endpoint of endpoints) writerOf(endpoint);
      return all(commits);
    },
    /** Tables that it needs are made inside, so that they go as well: their writers are its own. */
    rehearse(endpoints: readonly string[], commits: Iterable<PageCommit>): readonly CommitReport[] {
      const ownWriterOf = tableWriters(db, shared);
      const rehearsal = writeTransaction(db, path, (): never => {
        for (const endpoint of endpoints) ownWriterOf(endpoint);
        const write = (moved: MovedSums) =>
          Array.from(commits, (commit) => commitOne(placeWith(ownWriterOf, commit), moved));
        throw new TakenBack(movingSums(ledger, write));
      });
      try {
        return rehearsal();
      } catch (error) {
        return reportsIn(error);
      }
    },
  };
}

function placeWith(writerOf: (endpoint: string) => TableWriter, received: PageCommit): PlacedCommit {
  const commit = withSingleMembers(received);
  const writer = writerOf(commit.series.endpoint);
  return { commit, writer, rows: insideWindow(writer.table, prepareRows(writer.table, commit.rows), commit.window) };
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
  readonly writer: TableWriter;
  readonly rows: readonly Prepared[];
}

/** Writes one answer, and notes in `moved` what that does to the sums of its series. */
function pageCommitter(db: SqliteConnection, ledger: SeriesLedger) {
  const last = db.prepare<[], { number: number; at: number }>(
    'select number, at from commits order by number desc limit 1',
  );
  const record = commitWriter(db);
  const noteProgress = progressWriter(db, ledger);

  return ({ commit, writer, rows }: PlacedCommit, moved: MovedSums): CommitReport => {
    if (ledger.stamp.check(commit)) ledger.sums.sealStamp();
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
