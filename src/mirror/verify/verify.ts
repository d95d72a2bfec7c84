import { setImmediate } from 'node:timers/promises';
import type { SeriesFinding, Verification, VerifyAsk } from '../api/verification.ts';
import { rowDigest } from '../core/digest.ts';
import type { Shared } from '../core/shared.ts';
import { sumText } from '../core/sums.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import { storedSeriesOf } from '../ledger/series.ts';
import { checkCommits } from './commits.ts';
import { checkCoverage } from './coverage.ts';
import type { Evidence } from './evidence.ts';
import { checkFile } from './file.ts';
import { collectFindings } from './findings.ts';
import { verifyRows } from './rows.ts';
import { checkSeriesFacts } from './series.ts';
import { checkSums } from './sums.ts';

/**
 * Checks the whole mirror against what was noted when its data came in. Walk: the file itself, its stamp and the chain of
 * commits; then series by series the rows one by one (digest, text, columns), their sums, what each commit brought, the
 * proofs. Rows are read one at a time and nothing is kept of them, so the size of the mirror does not matter. All reads
 * see one state.
 */
export async function verifyMirror(
  stored: Evidence,
  shared: Shared,
  { only = () => true, onSeries, signal }: VerifyAsk = {},
): Promise<Verification> {
  const all = await stored.rows<LedgerSchema['series']>('select * from series order by id');
  const tables = [...new Set(all.map(({ endpoint }) => endpoint))].flatMap((endpoint) => shared.table(endpoint) ?? []);
  const whole = await checkFile(stored, tables);
  const findings: SeriesFinding[] = whole.map((finding) => ({ ...finding, series: undefined }));
  const selected = all.filter((row) => only(storedSeriesOf(row)));
  const hashes: string[] = [];
  let rows = 0;
  for (const [done, row] of selected.entries()) {
    signal?.throwIfAborted();
    onSeries?.(done, selected.length);
    const checked = await checkSeries(stored, shared, row);
    rows += checked.rows;
    if (checked.hash !== undefined) hashes.push(checked.hash);
    findings.push(...checked.findings);
    // Lets an interruption in.
    await setImmediate();
  }
  return { series: selected.length, rows, hash: hexOf(rowDigest(hashes.sort().join('\n'))), findings };
}

interface CheckedSeries {
  readonly rows: number;
  /** What is stored, whenever and however it came; undefined where this program does not know the endpoint. */
  readonly hash: string | undefined;
  readonly findings: readonly SeriesFinding[];
}

async function checkSeries(evidence: Evidence, shared: Shared, row: LedgerSchema['series']): Promise<CheckedSeries> {
  const series = storedSeriesOf(row);
  const findings = collectFindings();
  await checkSeriesFacts(evidence, row, findings);
  const named = () => findings.list().map((finding) => ({ ...finding, series }));
  const table = shared.table(row.endpoint);
  if (!table) {
    findings.note('unknown', 'this program does not know the endpoint, so its rows were not checked');
    return { rows: 0, hash: undefined, findings: named() };
  }
  await evidence.requireFit(table);
  const { stored, content, bySeen, byEnd } = await verifyRows(evidence, { table, series: row.id }, findings);
  await checkSums(evidence, { series: row.id, stored: stored }, findings);
  await checkCommits(evidence, { series: row.id, bySeen, byEnd }, findings);
  await checkCoverage(evidence, { table, series: row.id }, findings);
  const parts = [content.current, content.superseded, content.vintages].map((sum) => `${sum.rows}:${sumText(sum)}`);
  return {
    rows: stored.current.rows,
    hash: [row.endpoint, row.scope, row.origin, ...parts].join(' '),
    findings: named(),
  };
}

function hexOf(digest: string): string {
  return Buffer.from(digest, 'latin1').toString('hex');
}
