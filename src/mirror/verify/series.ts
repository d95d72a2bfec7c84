import { isJsonObject } from '../../contract/json.ts';
import type { Connection } from '../connect.ts';
import type { Digest } from '../digest.ts';
import type { LedgerSchema } from '../ledger.ts';
import { addTo, commitFact, emptySum, proofFact, seriesFact } from '../sums.ts';
import type { Findings } from './findings.ts';
import { addsUp, keptSums } from './sums.ts';

/** Checks what the ledger says of one series: its name, envelope, freshness, commits and proofs are as they were noted. */
export function checkSeriesFacts(db: Connection, row: LedgerSchema['series'], findings: Findings): void {
  const kept = keptSums(db, row.id);
  const commits = db.prepare<[number], LedgerSchema['commits']>('select * from commits where series = ?').all(row.id);
  const proofs = db.prepare<[number], LedgerSchema['proofs']>('select * from proofs where series = ?').all(row.id);
  const check = (part: string, digests: readonly Digest[], detail: string) => {
    const sum = emptySum();
    for (const digest of digests) addTo(sum, digest);
    if (!addsUp(sum, kept(part))) findings.problem('ledger', detail);
  };
  check('series', [seriesFact(row)], 'its name, envelope or time of confirmation was altered');
  check('commits', commits.map(commitFact), 'its commits are not those that were made');
  check('proofs', proofs.map(proofFact), 'its proofs are not those that were given');
  checkScope(db, row, findings);
  checkEnvelope(db, row, findings);
}

/** The pairs by which a series is found must be those of its name. */
function checkScope(db: Connection, { id, scope }: LedgerSchema['series'], findings: Findings): void {
  const pairs = db
    .prepare<[number], [string, string]>('select name, value from scopes where series = ? order by name, value')
    .raw()
    .all(id);
  const named = Object.entries(JSON.parse(scope)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (JSON.stringify(pairs) !== JSON.stringify(named))
    findings.problem('ledger', 'it cannot be found by the arguments that name it');
}

function checkEnvelope(db: Connection, row: LedgerSchema['series'], findings: Findings): void {
  if (row.envelope === null) return;
  if (!isObjectText(row.envelope)) findings.problem('text', 'the members beside the rows are no JSON object');
  const brought = db.prepare('select 1 from commits where number = ? and series = ?');
  if (brought.get(row.envelope_commit, row.id) === undefined)
    findings.problem('orphan', `no commit ${row.envelope_commit} brought the members beside the rows`);
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
