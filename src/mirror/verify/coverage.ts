import { coveredSelection, type Where, whereOf } from '../core/select.ts';
import type { Table } from '../core/tables.ts';
import { following } from '../ledger/coverage.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import { type Evidence, numberOf } from './evidence.ts';
import type { Findings } from './findings.ts';

type ProofRow = LedgerSchema['proofs'];

/** Checks that each proven window still has as many rows of the time of its proof as it had then. */
export async function checkCoverage(
  stored: Evidence,
  place: { table: Table; series: number },
  findings: Findings,
): Promise<void> {
  const proofs = await stored.proofs(place.series);
  for (const proof of proofs) await checkProof(stored, proof, { ...place, findings });
  if (place.table.mapping.window) noteStretches(proofs, findings);
}

async function checkProof(
  evidence: Evidence,
  proof: ProofRow,
  { table, series, findings }: { table: Table; series: number; findings: Findings },
): Promise<void> {
  const { starts, ends, commit_number: commit, held: stored } = proof;
  const window = `the window ${starts}..${ends}`;
  if (typeof starts !== typeof ends || starts > ends) {
    findings.problem('proof', `${window} is none`);
    return;
  }
  if (commit === null || stored === null) return;
  const selection = coveredSelection(table, { from: starts, to: ends });
  const now = await heldAt(evidence, { table, where: whereOf(table, series, selection), commit });
  if (now !== stored) findings.problem('proof', `${window} was proven with ${stored} rows; of these ${now} are held`);
}

/** Rows of a selection that were current at a commit. */
function heldAt(
  evidence: Evidence,
  { table, where: { sql, values }, commit }: { table: Table; where: Where; commit: number },
): Promise<number> {
  const current = `select count(*) from ${table.current} where ${sql} and seen <= ?`;
  const past = `select count(*) from ${table.superseded} where ${sql} and seen <= ? and superseded > ?`;
  return numberOf(evidence, `(${current}) + (${past})`, ...values, commit, ...values, commit, commit);
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
