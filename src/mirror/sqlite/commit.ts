import type { CommitReport, PageCommit, PaginationRun } from '../api/page-commit.ts';
import type { AccessTag, KeyValue, SeriesKey, StoredSeries } from '../api/series.ts';
import { type Prepared, prepareRows } from '../rules/columns.ts';
import {
  cameByItself,
  checkedAtFirst,
  countsOf,
  isChange,
  isMidRun,
  newEnvelope,
  pastEnd,
  replacedBy,
  reportsIn,
  TakenBack,
  withSingleMembers,
} from '../rules/commit-rules.ts';
import {
  addTo,
  type ChecksumChange,
  commitFact,
  type Digest,
  newSeriesFacts,
  noChecksumChange,
  type SeriesFacts,
  seriesFactsAfter,
} from '../rules/digest.ts';
import { type LedgerSchema, type PaginationRunRow, scopeText, wasWithheld } from '../rules/ledger.ts';
import { coveredSelection, whereOf } from '../rules/select.ts';
import type { Shared, Table } from '../rules/tables.ts';
import { insideWindow, writeRows } from '../rules/write-rows.ts';
import { coverageWriter } from './coverage.ts';
import type { SqliteConnection } from './database-file.ts';
import { type SeriesLedger, writeArrivals } from './ledger.ts';
import { type TableWriter, type TableWriters, tableWriters } from './table-writers.ts';
import { writeTransaction } from './version.ts';

interface Progress {
  readonly commit: PageCommit;
  /** Of the series. */
  readonly id: number;
  /** The last commit. */
  readonly number: number;
  readonly heldBack: boolean;
  readonly batch: LedgerBatch;
}

interface SeriesInBatch {
  readonly id: number;
  /** As the file has it. */
  readonly before: StoredSeries;
  /** As the answers before this one left it; undefined where this is its first one. */
  readonly stored: StoredSeries | undefined;
  /** What the answers of the transaction add to its sums. */
  readonly change: ChecksumChange;
  /** It takes the place of another one. */
  readonly replaced?: CommitReport['replaced'];
}

interface OpenSeries {
  readonly change: ChecksumChange;
  /** As the file has it. */
  readonly before: StoredSeries;
  /** As it is to become. */
  next: StoredSeries;
}

interface OpenRun {
  readonly series: number;
  readonly access: AccessTag;
  kept: PaginationRunRow | undefined;
  isMoved: boolean;
}

/**
 * Commits answers, all or none, in one transaction that waits for nothing. A broken page is refused before anything is
 * written; a commit is recorded only when something readable has changed, the ledger in any case.
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
  return { commit, table, rows: insideWindow(table, prepareRows(table, commit.rows), commit) };
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
    const { id, before: opened, stored, change, replaced } = batch.seriesOf(table, commit);
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
      const movesRows = counted.changed || !stored || commit.undo !== undefined;
      const moved = { from: opened.state, rows: change.current, commit: row, movesRows, envelope };
      batch.alter(id, seriesFactsAfter(stored ?? opened, moved));
      batch.last = { number, at };
    }
    if (replaced && isMidRun(commit)) counted.heldBack = true;
    const { heldBack } = counted;
    const latest = changed ? number : before.number;
    noteProgress(writer, rows, { commit, id, number: latest, heldBack, batch });
    return {
      ...{ commit: latest, ...countsOf(counted) },
      ...(replaced && { replaced }),
      ...(events && { arrived: events.arrived }),
    };
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

/** Notes walk, proof, validator and freshness. A page with withheld rows confirms nothing, nor does its walk. */
function progressWriter(db: SqliteConnection, { validators, follows, sums }: SeriesLedger) {
  const addProof = coverageWriter(db);
  const forgetProofs = db.prepare('delete from proofs where series = ? and access = ?');
  return (
    { table, rows: statements, page }: TableWriter,
    rows: readonly Prepared[],
    { commit, id, number, heldBack, batch }: Progress,
  ): void => {
    const { access, question, etag, paginationRun: walk, proof, undo, at } = commit;
    const isOpen = heldBack || batch.isHeldBack(id, access, walk);
    follows().name(commit, commit.named ?? []);
    if (commit.follows && !isOpen) follows().settle(id, commit, commit.follows.checked);
    if (walk !== undefined) batch.moveRun(id, access, { run: walk, heldBack: isOpen });
    if (proof && !isOpen) {
      addProof(
        { table, series: id, access },
        {
          proof: { ...proof, provenAt: proof.provenAt ?? at },
          commit: number,
          countRows: (from, to) => page.count(whereOf(table, id, coveredSelection(table, { from, to }))),
        },
      );
      sums().sealProofs(id);
    }
    if (undo) {
      forgetProofs.run(id, access);
      for (const { from, to, provenAt } of undo.proofs) {
        const countRows = (first: KeyValue, last: KeyValue) =>
          page.count(whereOf(table, id, coveredSelection(table, { from: first, to: last })));
        addProof(
          { table, series: id, access },
          { proof: { from, to, provenAt, rows: countRows(from, to) }, commit: number, countRows },
        );
      }
      sums().sealProofs(id);
      batch.alter(id, { checkedAt: undo.checkedAt });
      return;
    }
    if (etag === undefined || isOpen) validators().forget(access, question);
    else validators().put(access, question, { etag, series: id, commit: number, at });
    if (isOpen || cameByItself(commit)) return;
    const end = pastEnd(table, rows, commit);
    if (end === undefined || !statements.hasLater(id, end)) batch.alter(id, { checkedAt: at });
  };
}

/** The ledger that answers of one transaction share: read once, and written once at its end. */
function ledgerBatch({ series, walks, sums, stamp }: SeriesLedger) {
  const opened = new Map<string, OpenSeries>();
  const byId = new Map<number, OpenSeries>();
  const runs = new Map<string, OpenRun>();
  let stamped: Pick<PageCommit, 'series' | 'nature'> | undefined;

  function runOf(id: number, access: AccessTag): OpenRun {
    const name = `${id} ${access}`;
    const run = runs.get(name) ?? { series: id, access, kept: walks().read(id, access), isMoved: false };
    runs.set(name, run);
    return run;
  }

  function open(key: SeriesKey, name: string, make: () => StoredSeries): SeriesInBatch {
    const stored = series().get(key);
    const before = stored ?? make();
    const one: OpenSeries = { before, next: before, change: noChecksumChange() };
    opened.set(name, one);
    byId.set(before.id, one);
    return { id: before.id, before, stored, change: one.change };
  }

  return {
    /** Checks whose answers the file holds. Those of one series after the other are the same service's. */
    checkStamp(commit: PageCommit): void {
      if (stamped?.nature === commit.nature && stamped.series.origin === commit.series.origin) return;
      if (stamp().check(commit)) sums().sealStamp();
      stamped = commit;
    },
    /** The series of an answer, made where it is new, or where the service calls it another one than before. */
    seriesOf(table: Table, commit: PageCommit): SeriesInBatch {
      const key = commit.series;
      const name = nameOf(key);
      const make = () => {
        const at = checkedAtFirst(commit);
        const facts = newSeriesFacts(key);
        return { ...key, ...facts, id: series().add(key, facts, at), checkedAt: at };
      };
      const known = opened.get(name);
      const found = known
        ? { id: known.before.id, before: known.before, stored: known.next, change: known.change }
        : open(key, name, make);
      const replaced = replacedBy(table, found.stored, commit);
      if (!replaced) return found;
      series().close(found.id, commit.at);
      for (const run of [...runs]) if (run[1].series === found.id) runs.delete(run[0]);
      return { ...open(key, name, make), replaced };
    },
    /** What an answer says of its series itself. */
    alter(id: number, facts: Partial<SeriesFacts & Pick<StoredSeries, 'checkedAt'>>): void {
      const one = byId.get(id);
      if (one) one.next = { ...one.next, ...facts };
    },
    /** Rows of earlier pages of this run were held back. */
    isHeldBack: (id: number, access: AccessTag, run: PaginationRun | null | undefined): boolean =>
      run !== undefined && wasWithheld(runOf(id, access).kept, run),
    /** Where a run stands from now on; null when it is over. */
    moveRun(
      id: number,
      access: AccessTag,
      to: { readonly run: PaginationRun | null; readonly heldBack: boolean },
    ): void {
      const run = runOf(id, access);
      run.kept = to.run === null ? undefined : { ...to.run, ...(to.heldBack && { heldBack: true }) };
      run.isMoved = true;
    },
    /** Writes what is to be written once. */
    end(): void {
      for (const { series: id, access, kept, isMoved } of runs.values()) {
        if (!isMoved) continue;
        if (kept) walks().put(id, access, kept);
        else walks().drop(id, access);
      }
      for (const { before, next, change } of byId.values()) {
        if (next !== before) series().alter(before, next);
        sums().move(before.id, change);
        sums().sealSeries(before.id);
      }
    },
  };
}

type LedgerBatch = ReturnType<typeof ledgerBatch>;

const nameOf = ({ endpoint, scope, origin }: SeriesKey): string => `${endpoint} ${scopeText(scope)} ${origin}`;
