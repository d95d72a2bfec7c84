import { dateOf, dateToMs } from '../contract/time.ts';
import type { Connection } from './connect.ts';
import { noteArrivals } from './journal-arrivals.ts';
import type { LedgerSchema } from './ledger.ts';
import type { CommitReport, HeldSeries, KeyValue, PageCommit } from './mirror.ts';
import { proofWriter } from './proofs.ts';
import type { Shared } from './read.ts';
import { type Prepared, prepareRows } from './rows.ts';
import { boundsOf, provenSelection, whereOf } from './select.ts';
import { emptyTally } from './sums.ts';
import type { Table } from './tables.ts';
import { insideWindow } from './vanish.ts';
import { type Counted, writeRows } from './write-rows.ts';
import { type Ledger, type TableWriter, tableWriters } from './writers.ts';

/**
 * Commits one answer. Walk: take key and columns out of the rows, which refuses a broken page before anything is written;
 * then in one transaction check whose answers the file holds, write rows and find the vanished, note the envelope, and
 * only when something that can be read has changed record a commit and move the series' generation; walk, proof, validator
 * and freshness are noted in any case. Nothing in it waits, so no other program waits long.
 */
export function committer(db: Connection, shared: Shared, ledger: Ledger): (commit: PageCommit) => CommitReport {
  const last = db.prepare<[], { number: number; at: number }>(
    'select number, at from commits order by number desc limit 1',
  );
  const record = commitWriter(db, ledger);
  const writerOf = tableWriters(db, shared);
  const noteProgress = progressWriter(db, ledger);

  const run = db.transaction((commit: PageCommit, writer: TableWriter, rows: readonly Prepared[]): CommitReport => {
    if (ledger.stamp.check(commit)) ledger.sums.sealStamp();
    const before = last.get() ?? { number: 0, at: 0 };
    const number = before.number + 1;
    const held = ledger.series.get(commit.series);
    const id = held?.id ?? ledger.series.add(commit.series, number, commit.at);
    const tally = emptyTally();
    const via = commit.arrived?.via;
    const events = via && noteArrivals(ledger, rows, { commit, via, series: id });
    const counted = writeRows(writer, events?.taken ?? rows, { commit, series: id, number, tally });
    ledger.sums.moveRows(id, tally);
    const described = noteEnvelope(ledger, { commit, held, id, number, rowsChanged: counted.changed });
    const changed = held === undefined || counted.changed || described;
    if (changed) {
      // A clock that went back must not put a commit before an earlier one.
      const at = Math.max(commit.at, before.at);
      record({ number, at, series: id, access: commit.access, request: commit.request, ...countsOf(counted) });
      ledger.series.advance(id, number);
    }
    const { heldBack } = counted;
    const latest = changed ? number : before.number;
    noteProgress(writer, rows, { commit, id, number: latest, heldBack });
    ledger.sums.sealSeries(id);
    return { commit: latest, ...countsOf(counted), ...(events && { arrived: events.arrived }) };
  });

  return (commit) => {
    const writer = writerOf(commit.series.endpoint);
    const rows = insideWindow(writer.table, prepareRows(writer.table, commit.rows), commit.window);
    return run.immediate(commit, writer, rows);
  };
}

function countsOf({ added, revised, vanished, unchanged, heldBack }: Counted): Omit<CommitReport, 'commit'> {
  return { added, revised, vanished, unchanged, ...(heldBack && { heldBack }) };
}

function commitWriter(db: Connection, { sums }: Ledger): (row: LedgerSchema['commits']) => void {
  const insert = db.prepare(
    `insert into commits (number, at, series, access, request, added, revised, vanished, unchanged)
     values (:number, :at, :series, :access, :request, :added, :revised, :vanished, :unchanged)`,
  );
  return (row) => {
    insert.run(row);
    sums.addCommit(row);
  };
}

/** Keeps the members beside the rows. True when what can be read of them has changed. */
function noteEnvelope(
  ledger: Ledger,
  told: { commit: PageCommit; held: HeldSeries | undefined; id: number; number: number; rowsChanged: boolean },
): boolean {
  const { commit, held, id, number, rowsChanged } = told;
  if (!commit.envelope) return false;
  const { text, inputs } = commit.envelope;
  const old = held?.envelope;
  const stale = held !== undefined && old !== undefined && old.commit < held.generation;
  if (!rowsChanged && !stale && old?.text === text && old.inputs === inputs) return false;
  ledger.series.describe(id, { text, inputs, commit: number });
  return true;
}

/**
 * Notes what moves with a page and is no change of the data: walk, proof, validator, freshness. A page of which rows were
 * held back confirms nothing, nor does the walk that it belongs to: the mirror does not hold what it said.
 */
function progressWriter(db: Connection, { series, walks, validators, follows, sums }: Ledger) {
  const addProof = proofWriter(db);
  return (
    { table, rows: statements, page }: TableWriter,
    rows: readonly Prepared[],
    { commit, id, number, heldBack }: { commit: PageCommit; id: number; number: number; heldBack: boolean },
  ): void => {
    const { access, question, etag, walk, proof, at } = commit;
    const isOpen = heldBack || walks.heldBack(id, access, walk);
    for (const named of commit.named ?? []) follows.name(commit, named);
    if (commit.follows && !isOpen) follows.settle(id, commit, commit.follows.checked);
    if (walk === null) walks.drop(id, access);
    else if (walk) walks.put(id, access, { walk, heldBack: isOpen });
    if (proof && !isOpen) {
      addProof(id, access, {
        proof: { ...proof, provenAt: proof.provenAt ?? at },
        commit: number,
        countRows: (from, to) => page.count(whereOf(table, id, provenSelection(table, { from, to }))),
      });
      sums.sealProofs(id);
    }
    if (etag === undefined || isOpen) validators.forget(access, question);
    else validators.put(access, question, { etag, series: id, commit: number, at });
    // An event that came by itself says nothing of those that did not come.
    if (isOpen || (commit.arrived && commit.arrived.via !== 'changes')) return;
    if (confirmsPresent({ table, rows, commit }, (end) => statements.hasLater(id, end))) series.check(id, at);
  };
}

/**
 * An answer about a stretch that lies in the past and ends before the newest held row says nothing about the present. Rows
 * dated ahead are no reason to call an answer up to today old.
 */
function confirmsPresent(
  { table, rows, commit }: { table: Table; rows: readonly Prepared[]; commit: PageCommit },
  hasLater: (end: KeyValue) => boolean,
): boolean {
  const end = endOf(table, rows, commit);
  if (end === undefined) return true;
  const today = dateOf(commit.at);
  const present = typeof end === 'number' ? dateToMs(today) / 1000 : today;
  return end >= present || !hasLater(end);
}

/** The end of the stretch that an answer speaks of; undefined when it has none. */
function endOf(table: Table, rows: readonly Prepared[], { walk, proof, window, extent }: PageCommit) {
  const end = walk?.to ?? proof?.to ?? window?.to;
  // The proof of a whole document has no bounds.
  if (end === '') return undefined;
  if (end !== undefined) return boundsOf(table, { to: end }).to;
  if (extent !== 'listed') return undefined;
  return rows.at(table.direction === 'desc' ? 0 : -1)?.key[0];
}
