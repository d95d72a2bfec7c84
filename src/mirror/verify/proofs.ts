import type { Connection } from '../connect.ts';
import type { LedgerSchema } from '../ledger.ts';
import { following } from '../proofs.ts';
import { provenSelection, type Where, whereOf } from '../select.ts';
import type { Table } from '../tables.ts';
import type { Findings } from './findings.ts';

type ProofRow = LedgerSchema['proofs'];

/** Checks that each proven window still has as many rows of the time of its proof as it had then. */
export function checkProofs(db: Connection, place: { table: Table; series: number }, findings: Findings): void {
  const proofs = db
    .prepare<[number], ProofRow>('select * from proofs where series = ? order by access, starts, ends')
    .all(place.series);
  for (const proof of proofs) checkProof(db, proof, { ...place, findings });
  if (place.table.mapping.window) noteStretches(proofs, findings);
}

function checkProof(
  db: Connection,
  proof: ProofRow,
  { table, series, findings }: { table: Table; series: number; findings: Findings },
): void {
  const { starts, ends, commit_number: commit, held } = proof;
  const window = `the window ${starts}..${ends}`;
  if (typeof starts !== typeof ends || starts > ends) {
    findings.problem('proof', `${window} is none`);
    return;
  }
  if (commit === null || held === null) return;
  const selection = provenSelection(table, { from: starts, to: ends });
  const now = heldAt(db, { table, where: whereOf(table, series, selection), commit });
  if (now !== held) findings.problem('proof', `${window} was proven with ${held} rows; of these ${now} are held`);
}

/** Rows of a selection that were current at a commit. */
function heldAt(db: Connection, { table, where, commit }: { table: Table; where: Where; commit: number }): number {
  const count = (sql: string, ...more: number[]): number =>
    db
      .prepare<unknown[], number>(`select count(*) from ${sql}`)
      .pluck()
      .get(...where.values, ...more) ?? 0;
  return (
    count(`${table.current} where ${where.sql} and seen <= ?`, commit) +
    count(`${table.superseded} where ${where.sql} and seen <= ? and superseded > ?`, commit, commit)
  );
}

/** What lies between two proven windows of one access is not known to be complete. */
function noteStretches(proofs: readonly ProofRow[], findings: Findings): void {
  let last: ProofRow | undefined;
  for (const proof of proofs) {
    if (last && last.access === proof.access && proof.starts > following(last.ends))
      findings.note('unproven', `nothing is proven between ${last.ends} and ${proof.starts}`);
    if (!last || last.access !== proof.access || proof.ends > last.ends) last = proof;
  }
}
