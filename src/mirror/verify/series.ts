import { isJsonObject, type JsonObject, readJson } from '../../contract/json/json.ts';
import type { Digest } from '../core/digest.ts';
import { sumOf } from '../core/sums.ts';
import { commitFact, coverageFact, seriesFact } from '../ledger/facts.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import type { Evidence } from './evidence.ts';
import type { Findings } from './findings.ts';
import { addsUp, keptSums } from './sums.ts';

/** Checks what the ledger says of one series: its name, envelope, freshness, commits and proofs are as they were noted. */
export async function checkSeriesFacts(
  stored: Evidence,
  row: LedgerSchema['series'],
  findings: Findings,
): Promise<void> {
  const kept = await keptSums(stored, row.id);
  const commits = await stored.rows<LedgerSchema['commits']>('select * from commits where series = ?', row.id);
  const proofs = await stored.proofs(row.id);
  const check = (part: string, digests: readonly Digest[], detail: string) => {
    if (!addsUp(sumOf(digests), kept(part))) findings.problem('ledger', detail);
  };
  check('series', [seriesFact(row)], 'its name, envelope or time of confirmation was altered');
  check('commits', commits.map(commitFact), 'its commits are not those that were made');
  check('proofs', proofs.map(coverageFact), 'its proofs are not those that were given');
  await checkScope(stored, row, findings);
  await checkEnvelope(stored, row, findings);
}

/** The pairs by which a series is found must be those of its name. */
async function checkScope(
  { rows }: Evidence,
  { id, scope }: LedgerSchema['series'],
  findings: Findings,
): Promise<void> {
  const found = await rows<{ name: string; value: string }>(
    'select name, value from scopes where series = ? order by name, value',
    id,
  );
  const pairs = found.map(({ name, value }) => [name, value]);
  const named = Object.entries(readJson<JsonObject>(scope)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (JSON.stringify(pairs) !== JSON.stringify(named))
    findings.problem('ledger', 'it cannot be found by the arguments that name it');
}

async function checkEnvelope({ rows }: Evidence, row: LedgerSchema['series'], findings: Findings): Promise<void> {
  if (row.envelope === null) return;
  if (!isObjectText(row.envelope)) findings.problem('text', 'the members beside the rows are no JSON object');
  const brought = 'select 1 from commits where number = ? and series = ?';
  if (row.envelope_commit === null || (await rows(brought, row.envelope_commit, row.id)).length === 0)
    findings.problem('orphan', `no commit ${row.envelope_commit} brought the members beside the rows`);
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(readJson(text));
  } catch {
    return false;
  }
}
