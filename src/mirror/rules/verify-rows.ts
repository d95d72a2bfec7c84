import { isJsonObject, type JsonObject, readJson } from '../../contract/json/json.ts';
import type { KeyValue } from '../api/series.ts';
import type { FindingKind, VerificationFinding } from '../api/verification.ts';
import { valueIn } from './columns.ts';
import {
  addTo,
  type Checksum,
  currentDigest,
  currentMarks,
  type Digest,
  emptyChecksum,
  emptySum,
  markOf,
  rowDigest,
  type Sum,
  sumText,
  supersededDigest,
  vintageDigest,
} from './digest.ts';
import type { Where } from './select.ts';
import { wholeText } from './short-text.ts';
import type { SystemRows } from './system-tables.ts';
import { columnNamesOf, type Table } from './tables.ts';
import { knownAt, vintageOf } from './vintages.ts';

export interface CheckedRows {
  /** Sums of the rows as they are. */
  readonly stored: Checksum;
  /** The same without when and under which access they came: equal for equal content, however it was collected. */
  readonly content: Checksum;
  /** How many rows each commit brought. */
  readonly bySeen: ReadonlyMap<number, number>;
  /** How many rows each commit ended. */
  readonly byEnd: ReadonlyMap<number, number>;
}

/** Whose rows. */
interface CheckedPosition {
  readonly table: Table;
  readonly series: number;
}

type Values = readonly (KeyValue | null)[];
type OwnTuple = [
  seen: number,
  refreshed: number | null,
  keyed: number,
  assumed: number | null,
  mark: number,
  text: string,
];
/** A row: its place among the superseded ones, null for a current one, its own columns, key, typed columns. */
type RowTuple = [revision: number | null, superseded: number | null, ...OwnTuple, ...rest: Values];
type CheckedVintage = [
  known: string,
  value: string,
  epoch: number | null,
  observed: string | null,
  seen: number,
  mark: number,
  text: string,
  ...key: KeyValue[],
];

/** Everything that a check reads, from one state of the mirror: SQL texts for every engine, and facts of one engine. */
export interface FactsToVerify {
  rows<Row>(sql: string, ...values: readonly KeyValue[]): Promise<readonly Row[]>;
  /** Rows as arrays of columns, some at a time, however many there are. */
  portions<Row extends readonly unknown[]>(select: Where): AsyncIterable<readonly Row[]>;
  /** Covered ranges with their bounds as they were given; of one series in the order of access and bounds. */
  coveredRanges(series: number): Promise<readonly SystemRows['proofs'][]>;
  /** Names of the tables whose rows belong to a series. */
  tables(): Promise<readonly string[]>;
  /** Objects in the schema of the mirror that this program did not make. */
  foreign(tables: readonly Table[]): Promise<readonly ForeignObject[]>;
  /** Throws when the file or server of the mirror is damaged. */
  requireSound(): Promise<void>;
  /** Throws when the tables of an endpoint are those of another version. */
  requireFit(table: Table): Promise<void>;
}

/** `alters` changes writes, `is another` is a changed view of ours, `stands beside` is seen by nothing of ours. */
export interface ForeignObject {
  readonly type: string;
  readonly name: string;
  /** The table that it belongs to. */
  readonly on: string;
  readonly effect: 'alters' | 'is another' | 'stands beside';
}

/** Findings about one thing; only the first of a kind are listed, because every row of a mirror may be wrong. */
export interface Findings {
  note(what: FindingKind, detail: string): void;
  problem(what: FindingKind, detail: string, key?: readonly KeyValue[]): void;
  /** The number of findings of a kind, including those above the limit. */
  count(what: FindingKind): number;
  list(): readonly VerificationFinding[];
}

const MAX_FINDINGS = 20;

const NAMES: Readonly<Record<keyof Checksum, string>> = {
  current: 'current rows',
  superseded: 'superseded rows',
  vintages: 'vintages',
};

/** Reads all rows of a series, current, superseded and vintages, and checks each by itself. */
export async function verifyRows(
  stored: FactsToVerify,
  place: CheckedPosition,
  findings: Findings,
): Promise<CheckedRows> {
  const checked = { stored: emptyChecksum(), content: emptyChecksum(), bySeen: new Map(), byEnd: new Map() };
  const { table } = place;
  const at = { checked, findings };
  for (const part of ['current', 'superseded'] as const)
    for await (const rows of stored.portions<RowTuple>(rowsOf(part, place)))
      for (const row of rows) checkRow(table, row, at);
  if (table.vintages === undefined) return checked;
  for await (const rows of stored.portions<CheckedVintage>(vintageRows(place)))
    for (const row of rows) checkVintage(row, at);
  await checkOwners(stored, place, findings);
  return checked;
}

interface Progress {
  readonly checked: {
    readonly stored: Checksum;
    readonly content: Checksum;
    readonly bySeen: Map<number, number>;
    readonly byEnd: Map<number, number>;
  };
  readonly findings: Findings;
}

function checkRow(table: Table, [revision, superseded, ...row]: RowTuple, at: Progress): void {
  const [seen, refreshed, keyed, assumed, mark, text, ...rest] = row;
  const key = rest.slice(0, table.key.length) as KeyValue[]; // key columns are never null
  const { stored, content, bySeen, byEnd } = at.checked;
  if (revision === null || superseded === null) {
    const digest = currentDigest(key, assumed, text);
    const expected = currentMarks({ seen, refreshed, keyed })(digest);
    checkMark({ digest, expected, mark, key, kind: 'current row' }, stored.current, at.findings);
    addTo(content.current, rowDigest(JSON.stringify(['current', key, text])));
  } else {
    const digest = supersededDigest(key, { seen, refreshed, keyed, assumed, revision, superseded }, text);
    checkMark({ digest, mark, key, kind: `revision ${revision}` }, stored.superseded, at.findings);
    addTo(content.superseded, rowDigest(JSON.stringify(['superseded', key, revision, text])));
    countOne(byEnd, superseded);
  }
  countOne(bySeen, seen);
  checkColumns(table, { key, text, columns: rest.slice(table.key.length) }, at.findings);
}

function checkVintage([known, value, epoch, observed, seen, mark, text, ...key]: CheckedVintage, at: Progress): void {
  const { stored, content } = at.checked;
  const digest = vintageDigest(key, { known, value, epoch, observed, seen }, text);
  checkMark({ digest, mark, key, kind: `vintage ${value}` }, stored.vintages, at.findings);
  addTo(content.vintages, rowDigest(JSON.stringify(['vintage', key, known, value, epoch, observed, text])));
  const listed = parsed(text) && vintageOf(text)[0];
  if (!listed) {
    at.findings.problem('text', `the text of vintage ${value} is no JSON object`, key);
    return;
  }
  const expected = [String(knownAt(listed)), listed.value, listed.epoch ?? null, listed.observed?.toString() ?? null];
  if (String(expected) !== String([known, value, epoch, observed]))
    at.findings.problem('column', `the columns of vintage ${value} do not say what its text says`, key);
}

function checkMark(
  {
    digest,
    expected = markOf(digest),
    mark,
    key,
    kind,
  }: { digest: Digest; expected?: number; mark: number; key: readonly KeyValue[]; kind: string },
  sum: Sum,
  findings: Findings,
): void {
  addTo(sum, digest);
  if (expected !== mark) findings.problem('altered', `the ${kind} is not as it was received`, key);
}

function checkColumns(
  table: Table,
  { key, text, columns }: { key: readonly KeyValue[]; text: string; columns: Values },
  findings: Findings,
): void {
  const value = parsed(text);
  if (!value) {
    findings.problem('text', 'the text is no JSON object', key);
    return;
  }
  for (const [i, column] of table.columns.entries()) {
    const [expected, stored] = [storedAs(valueIn(value, column)), columns[i] ?? null];
    if (expected !== stored)
      findings.problem('column', `${column.name} is ${stored} in the column and ${expected} in the text`, key);
  }
}

/** As the file gives a value back: half of a surrogate pair has no UTF-8. */
function storedAs(value: KeyValue | null): KeyValue | null {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = readJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function countOne(counts: Map<number, number>, commit: number): void {
  counts.set(commit, (counts.get(commit) ?? 0) + 1);
}

/** Vintages need a row that is or was stored; a superseded text needs a row that is stored or ended later. */
async function checkOwners(
  stored: FactsToVerify,
  { table, series }: CheckedPosition,
  findings: Findings,
): Promise<void> {
  const same = columnNamesOf(table.key).map((name) => `other.${name} = vintage.${name}`);
  const has = (name: string) => `exists (select 1 from ${name} other where other.series = ? and ${same.join(' and ')})`;
  const orphans = {
    sql: `select distinct ${columnNamesOf(table.key).join(', ')} from ${table.vintages} vintage
      where series = ? and not ${has(table.current)} and not ${has(table.superseded)}`,
    values: [series, series, series],
  };
  for await (const keys of stored.portions<KeyValue[]>(orphans))
    for (const key of keys) findings.problem('orphan', 'it has vintages without their row', key);
}

/** Selects of the tables of a series, as the tuples above have them. */
function rowsOf(part: 'current' | 'superseded', { table, series }: CheckedPosition): Where {
  const place = part === 'current' ? 'null, null' : 'revision, superseded';
  const own = `seen, refreshed, keyed, assumed_release, mark, ${wholeText(table)}`;
  const rest = columnNamesOf([...table.key, ...table.columns]).join(', ');
  return { sql: `select ${place}, ${own}, ${rest} from ${table[part]} where series = ?`, values: [series] };
}

function vintageRows({ table, series }: CheckedPosition): Where {
  const exact = 'cast(known as text), value, epoch, cast(observed_ns as text), seen, mark, text';
  return {
    sql: `select ${exact}, ${columnNamesOf(table.key).join(', ')} from ${table.vintages} where series = ?`,
    values: [series],
  };
}

export function collectFindings(): Findings {
  const kept: VerificationFinding[] = [];
  const counts = new Map<FindingKind, number>();
  // If a kind has both, the rest may be problems.
  const levelOf = (what: FindingKind): VerificationFinding['level'] =>
    kept.some((one) => one.what === what && one.level === 'problem') ? 'problem' : 'note';
  const add = (finding: VerificationFinding) => {
    const count = (counts.get(finding.what) ?? 0) + 1;
    counts.set(finding.what, count);
    if (count <= MAX_FINDINGS) kept.push(finding);
  };
  return {
    note: (what, detail) => add({ level: 'note', what, detail }),
    problem: (what, detail, key) => add({ level: 'problem', what, detail, ...(key && { key }) }),
    count: (what) => counts.get(what) ?? 0,
    list() {
      const more = [...counts].filter(([, count]) => count > MAX_FINDINGS);
      return [
        ...kept,
        ...more.map(([what, count]) => ({ level: levelOf(what), what, detail: `and ${count - MAX_FINDINGS} more` })),
      ];
    },
  };
}

/** Compares the stored rows with the written ones, by their number and the sum of their digests. */
export async function checkSums(
  facts: FactsToVerify,
  { series, stored }: { series: number; stored: Checksum },
  findings: Findings,
): Promise<void> {
  const kept = await notedSums(facts, series);
  for (const part of ['current', 'superseded', 'vintages'] as const) {
    const { rows, text } = kept(part);
    const difference = stored[part].rows - rows;
    if (difference < 0) findings.problem('missing', `${-difference} of ${rows} ${NAMES[part]} are gone`);
    else if (difference > 0)
      findings.problem('added', `${difference} more ${NAMES[part]} are stored than the ${rows} that were written`);
    else if (sumText(stored[part]) !== text && findings.count('altered') === 0)
      findings.problem('altered', `the ${NAMES[part]} are not as they were written`);
  }
}

/** Sums of something that is never summed: somebody put them in. */
export async function checkParts(stored: FactsToVerify, findings: Findings): Promise<void> {
  const all = { sql: 'select series, part from sums', values: [] };
  for await (const parts of stored.portions<[series: number, part: string]>(all))
    for (const [series, part] of parts)
      if (series === 0 ? part !== 'stamp' : !SERIES_PARTS.has(part))
        findings.problem('ledger', `a sum of '${part}' is noted of series ${series}, which nobody keeps`);
}

const SERIES_PARTS: ReadonlySet<string> = new Set([...Object.keys(NAMES), 'commits', 'proofs', 'series']);

/** The recorded sums of a series; a missing sum is zero. */
export async function notedSums({ rows }: Pick<FactsToVerify, 'rows'>, series: number): Promise<NotedSums> {
  return keptIn(await rows<SystemRows['sums']>('select * from sums where series = ?', series));
}

type NotedSums = (part: string) => { readonly rows: number; readonly text: string };

function keptIn(noted: readonly SystemRows['sums'][]): NotedSums {
  const nothing = emptySum();
  return (part) => {
    const found = noted.find((one) => one.part === part);
    return found ? { rows: found.rows, text: found.sum } : { rows: 0, text: sumText(nothing) };
  };
}

/** True if a computed sum equals the stored one. */
export function addsUp(sum: Sum, kept: { rows: number; text: string }): boolean {
  return sum.rows === kept.rows && sumText(sum) === kept.text;
}
