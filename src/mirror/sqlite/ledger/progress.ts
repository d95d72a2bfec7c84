import type { KeyValue, PageCommit } from '../../api/mirror.ts';
import { cameByItself, pastEnd } from '../../core/commit/commit-rules.ts';
import type { Prepared } from '../../core/rows.ts';
import { coveredSelection, whereOf } from '../../core/select.ts';
import type { SqliteConnection } from '../database-file.ts';
import type { TableWriter } from '../rows/table-writers.ts';
import type { LedgerBatch } from './batch.ts';
import { coverageWriter } from './coverage.ts';
import type { SeriesLedger } from './series-ledger.ts';

interface Progress {
  readonly commit: PageCommit;
  /** Of the series. */
  readonly id: number;
  /** The last commit. */
  readonly number: number;
  readonly heldBack: boolean;
  readonly batch: LedgerBatch;
}

/**
 * Notes what moves with a page and is no change of the data: walk, proof, validator, freshness. A page of which rows were
 * held back confirms nothing, nor does the walk that it belongs to: the mirror does not hold what it said.
 */
export function progressWriter(db: SqliteConnection, { validators, follows, sums }: SeriesLedger) {
  const addProof = coverageWriter(db);
  const forgetProofs = db.prepare('delete from proofs where series = ? and access = ?');
  return (
    { table, rows: statements, page }: TableWriter,
    rows: readonly Prepared[],
    { commit, id, number, heldBack, batch }: Progress,
  ): void => {
    const { access, question, etag, paginationRun: walk, proof, undo, at } = commit;
    const isOpen = heldBack || batch.isHeldBack(id, access, walk);
    follows.name(commit, commit.named ?? []);
    if (commit.follows && !isOpen) follows.settle(id, commit, commit.follows.checked);
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
      sums.sealProofs(id);
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
      sums.sealProofs(id);
      batch.alter(id, { checkedAt: undo.checkedAt });
      return;
    }
    if (etag === undefined || isOpen) validators.forget(access, question);
    else validators.put(access, question, { etag, series: id, commit: number, at });
    if (isOpen || cameByItself(commit)) return;
    const end = pastEnd(table, rows, commit);
    if (end === undefined || !statements.hasLater(id, end)) batch.alter(id, { checkedAt: at });
  };
}
