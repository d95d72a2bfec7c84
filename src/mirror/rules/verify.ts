import { setImmediate } from 'node:timers/promises';
import { isJsonObject, type JsonObject, readJson } from '../../contract/json/json.ts';
import { boundAfter } from '../../contract/time/coverage.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { SeriesFinding, Verification, VerificationFinding, VerifyAsk } from '../api/verification.ts';
import {
  commitFact,
  coverageFact,
  type Digest,
  rowDigest,
  seriesFact,
  stampFact,
  stateOf,
  sumOf,
  sumText,
  WHOLE_FILE,
} from './digest.ts';
import { storedSeriesOf } from './system-rows.ts';
import type { SystemRows } from './system-tables.ts';
import { quote, type Shared, type Table } from './tables.ts';
import {
  addsUp,
  checkParts,
  checkSums,
  collectFindings,
  type FactsToVerify,
  type Findings,
  notedSums,
  verifyRows,
} from './verify-rows.ts';

interface Counted {
  readonly series: number;
  readonly bySeen: ReadonlyMap<number, number>;
  readonly byEnd: ReadonlyMap<number, number>;
}

type RangeRow = SystemRows['proofs'];

/** Checks file, stamp, commits, then each series row by row, its sums and coverage, in one state, at any size. */
export async function verifyMirror(
  stored: FactsToVerify,
  shared: Shared,
  { only = () => true, onSeries, signal }: VerifyAsk = {},
): Promise<Verification> {
  const all = await stored.rows<SystemRows['series']>('select * from series order by id');
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
  /** A digest of the stored rows, independent of when and how they came; undefined if the endpoint is unknown. */
  readonly hash: string | undefined;
  readonly findings: readonly SeriesFinding[];
}

async function checkSeries(facts: FactsToVerify, shared: Shared, row: SystemRows['series']): Promise<CheckedSeries> {
  const series = storedSeriesOf(row);
  const findings = collectFindings();
  await checkSeriesFacts(facts, row, findings);
  const named = () => findings.list().map((finding) => ({ ...finding, series }));
  const table = shared.table(row.endpoint);
  if (!table) {
    findings.note('unknown', 'this program does not know the endpoint, so its rows were not checked');
    return { rows: 0, hash: undefined, findings: named() };
  }
  await facts.requireFit(table);
  const { stored, content, bySeen, byEnd } = await verifyRows(facts, { table, series: row.id }, findings);
  await checkSums(facts, { series: row.id, stored: stored }, findings);
  await checkCommits(facts, { series: row.id, bySeen, byEnd }, findings);
  if (table.mapping.window) noteRanges(await facts.coveredRanges(row.id), findings);
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

/** Every row that a commit brought or ended is still stored; a commit with a missing row names its answer. */
async function checkCommits(
  { rows }: FactsToVerify,
  { series, bySeen, byEnd }: Counted,
  findings: Findings,
): Promise<void> {
  const commits = await rows<SystemRows['commits']>('select * from commits where series = ? order by number', series);
  for (const commit of commits) {
    const { number, added, revised, vanished } = commit;
    compare({ commit, noted: added + revised, counted: bySeen.get(number) ?? 0, verb: 'brought' }, findings);
    compare({ commit, noted: revised + vanished, counted: byEnd.get(number) ?? 0, verb: 'ended' }, findings);
  }
  const known = new Set(commits.map(({ number }) => number));
  for (const number of new Set([...bySeen.keys(), ...byEnd.keys()]))
    if (!known.has(number)) findings.problem('orphan', `rows say that they came with commit ${number}, which is none`);
}

function compare(
  {
    commit,
    noted,
    counted: stored,
    verb,
  }: { commit: SystemRows['commits']; noted: number; counted: number; verb: string },
  findings: Findings,
): void {
  if (noted === stored) return;
  const { number, at, request } = commit;
  const when = isoSeconds(Math.floor(at / 1000));
  findings.problem(
    stored < noted ? 'missing' : 'added',
    `commit ${number} (${request}, ${when}) ${verb} ${noted} rows, ${stored} are stored`,
  );
}

/** The time between two covered windows of one access may be incomplete. */
function noteRanges(coveredRanges: readonly RangeRow[], findings: Findings): void {
  let last: RangeRow | undefined;
  for (const covered of coveredRanges) {
    if (last && last.access === covered.access && covered.starts > boundAfter(last.ends))
      findings.note('unproven', `nothing is covered between ${last.ends} and ${covered.starts}`);
    if (!last || last.access !== covered.access || covered.ends > last.ends) last = covered;
  }
}

/** Compares the system rows of one series with their stored digests: name, envelope, freshness, commits and coverage. */
async function checkSeriesFacts(stored: FactsToVerify, row: SystemRows['series'], findings: Findings): Promise<void> {
  const kept = await notedSums(stored, row.id);
  const commits = await stored.rows<SystemRows['commits']>('select * from commits where series = ?', row.id);
  const coveredRanges = await stored.coveredRanges(row.id);
  const check = (part: string, digests: readonly Digest[], detail: string) => {
    if (!addsUp(sumOf(digests), kept(part))) findings.problem('ledger', detail);
  };
  check('series', [seriesFact(row)], 'its name, envelope or time of confirmation was altered');
  check('commits', commits.map(commitFact), 'its commits are not as they were written');
  check('proofs', coveredRanges.map(coverageFact), 'its coverage is not as it was written');
  if (row.state !== stateOf(kept('current').text, row.envelope ?? undefined))
    findings.problem('ledger', 'its state is not that of its rows and envelope');
  await checkScope(stored, row, findings);
  checkEnvelope(row, findings);
}

/** The pairs by which a series is found must be those of its name. */
async function checkScope(
  { rows }: FactsToVerify,
  { id, scope }: SystemRows['series'],
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

function checkEnvelope({ envelope }: SystemRows['series'], findings: Findings): void {
  if (envelope !== null && !isObjectText(envelope))
    findings.problem('text', 'the members beside the rows are no JSON object');
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(readJson(text));
  } catch {
    return false;
  }
}

/** Checks what belongs to no series: the file, its stamp, the chain of commits, rows and facts that nobody owns. */
async function checkFile(stored: FactsToVerify, tables: readonly Table[]): Promise<readonly VerificationFinding[]> {
  const findings = collectFindings();
  await stored.requireSound();
  await checkForeign(stored, tables, findings);
  await checkStamp(stored, findings);
  await checkChain(stored, findings);
  await checkOrphans(stored, findings);
  await checkParts(stored, findings);
  return findings.list();
}

/** A trigger may change every number on its way in; what only stands beside the tables of this program changes nothing. */
async function checkForeign(stored: FactsToVerify, tables: readonly Table[], findings: Findings): Promise<void> {
  for (const { type, name, on, effect } of await stored.foreign(tables)) {
    if (effect === 'alters')
      findings.problem('foreign', `the ${type} ${name} on ${on} is not of this program, and may change stored rows`);
    else if (effect === 'is another')
      findings.note(
        'foreign',
        `the ${type} ${name} is not as this version makes it; the next macro sync makes it anew`,
      );
    else findings.note('foreign', `the ${type} ${name} is not of this program`);
  }
}

async function checkStamp(stored: FactsToVerify, findings: Findings): Promise<void> {
  const rows = await stored.rows<SystemRows['mirror']>('select * from mirror');
  const kept = await notedSums(stored, WHOLE_FILE);
  if (rows.length !== 1 || !addsUp(sumOf(rows.map(stampFact)), kept('stamp')))
    findings.problem('ledger', 'the stamp that says whose data the file has was altered');
}

/** Commits are numbered from 1 without a gap, and none was before the one before it. */
async function checkChain(stored: FactsToVerify, findings: Findings): Promise<void> {
  let last = { number: 0, at: Number.NEGATIVE_INFINITY };
  const all = { sql: 'select number, at from commits order by number', values: [] };
  for await (const commits of stored.portions<[number, number]>(all))
    for (const [number, at] of commits) {
      if (number !== last.number + 1)
        findings.problem('ledger', `commit ${number} follows commit ${last.number}: the commits between them are gone`);
      if (at < last.at) findings.problem('ledger', `commit ${number} says that it was before commit ${last.number}`);
      last = { number, at };
    }
}

/** Rows of tables that name a series, where that series is not stored. */
async function checkOrphans(stored: FactsToVerify, findings: Findings): Promise<void> {
  for (const table of (await stored.tables()).filter((name) => /^[a-z_][a-z0-9_]*$/i.test(name))) {
    const orphans = await stored.rows<{ series: number; rows: number }>(
      `select series, count(*) as rows from ${quote(table)}
       where series not in (select id from series) ${table === 'sums' ? `and series <> ${WHOLE_FILE}` : ''} group by series`,
    );
    for (const { series, rows } of orphans)
      findings.problem('orphan', `${table} has ${rows} rows of series ${series}, which is not stored`);
  }
}
