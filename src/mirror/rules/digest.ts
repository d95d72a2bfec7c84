import { hash } from 'node:crypto';
import type { PageCommit } from '../api/page-commit.ts';
import type { KeyValue, SeriesKey, StoredSeries } from '../api/series.ts';
import type { SystemRows } from './system-tables.ts';

/** SHA-256 of one row, a byte in each of 32 characters: the form that node:crypto makes fastest. */
export type Digest = string;

/** Values of the mirror's own columns beside a row's text. */
export interface OwnValues {
  readonly seen: number;
  readonly refreshed: number | null;
  readonly keyed: number;
}

/** Where a row stands among the superseded ones. */
export interface EndedVersion {
  readonly revision: number;
  readonly superseded: number;
}

/** The values of a vintage beside its key; the instants in nanoseconds as decimal digits. */
export interface VintageValues {
  readonly known: string;
  readonly value: string;
  readonly epoch: number | null;
  readonly observed: string | null;
  readonly seen: number;
}

/** Count and sum of digests in any order: AdHash of Bellare and Micciancio (1997), against accidents alone. */
export interface Sum {
  rows: number;
  readonly words: Uint32Array;
}

/** Digest of what an answer shows of a row, without its times: equal rows have equal sums. */
export function currentDigest(key: readonly KeyValue[], assumed: number | null | undefined, text: string): Digest {
  return rowDigest(`c${assumed ?? ''}|${keyText(key)}|${text}`);
}

/** Gives the marks of current rows that came in one way: each binds the mirror's own values to the row. */
export function currentMarks({ seen, refreshed, keyed }: OwnValues): (digest: Digest) => number {
  const own = markOf(rowDigest(`o${seen},${refreshed ?? ''},${keyed}`));
  return (digest) => (markOf(digest) + own) % 2 ** MARK_BITS;
}

export function supersededDigest(
  key: readonly KeyValue[],
  own: OwnValues & EndedVersion & { readonly assumed: number | null },
  text: string,
): Digest {
  const { seen, refreshed, keyed, assumed, revision, superseded } = own;
  const values = [seen, refreshed ?? '', keyed, assumed ?? '', revision, superseded];
  return rowDigest(`s${values.join()}|${keyText(key)}|${text}`);
}

export function vintageDigest(key: readonly KeyValue[], values: VintageValues, text: string): Digest {
  const { known, value, epoch, observed, seen } = values;
  return rowDigest(`v${known},${epoch ?? ''},${observed ?? ''},${seen}|${keyText([...key, value])}|${text}`);
}

/** Digest of a row of a system table. */
function factDigest(values: readonly (string | number | null)[]): Digest {
  return rowDigest(JSON.stringify(values));
}

const MARK_BITS = 48;

/** The first 48 bits, exact in a number: stored with each row, so that an altered row can be named. */
export function markOf(digest: Digest): number {
  let mark = 0;
  for (let i = 0; i < 6; i += 1) mark = mark * 256 + digest.charCodeAt(i);
  return mark;
}

export function rowDigest(text: string): Digest {
  return hash('sha256', text, 'binary');
}

/** Values with their lengths, so that no two keys have one spelling. */
function keyText(key: readonly KeyValue[]): string {
  let text = '';
  for (const value of key) text += typeof value === 'number' ? `n${value};` : `t${value.length}:${value};`;
  return text;
}

export const emptySum = (): Sum => ({ rows: 0, words: new Uint32Array(4) });

export function addTo(sum: Sum, digest: Digest): void {
  sum.rows += 1;
  for (let i = 0; i < 4; i += 1) sum.words[i] = wordOf(sum, i) + wordIn(digest, i);
}

export function takeFrom(sum: Sum, digest: Digest): void {
  sum.rows -= 1;
  for (let i = 0; i < 4; i += 1) sum.words[i] = wordOf(sum, i) - wordIn(digest, i);
}

/** 32 hexadecimal digits. */
export function sumText({ words }: Sum): string {
  return [...words].map((word) => word.toString(16).padStart(8, '0')).join('');
}

const wordOf = ({ words }: Sum, i: number): number => words[i] ?? 0;

function wordIn(digest: Digest, i: number): number {
  const at = 4 * i;
  return (
    (digest.charCodeAt(at) << 24) |
    (digest.charCodeAt(at + 1) << 16) |
    (digest.charCodeAt(at + 2) << 8) |
    digest.charCodeAt(at + 3)
  );
}

/** The effect of a commit on the sums of its series. */
export interface Checksum {
  readonly current: Sum;
  readonly superseded: Sum;
  readonly vintages: Sum;
}

export const emptyChecksum = (): Checksum => ({ current: emptySum(), superseded: emptySum(), vintages: emptySum() });

/** The addition of a transaction to the sums of a series. */
export interface ChecksumChange extends Checksum {
  readonly commits: Sum;
}

export const noChecksumChange = (): ChecksumChange => ({ ...emptyChecksum(), commits: emptySum() });

/** The parts with sums: rows of a series by their table, and rows of the system tables. */
export type ChecksumPart = keyof ChecksumChange | 'proofs' | 'series' | 'stamp';

/** The stamp belongs to no series. */
export const WHOLE_FILE = 0;

export const isNothing = ({ rows, words }: Sum): boolean => rows === 0 && words.every((word) => word === 0);

export function sumOf(digests: readonly Digest[]): Sum {
  const sum = emptySum();
  for (const digest of digests) addTo(sum, digest);
  return sum;
}

/** Which of the three tables of an endpoint. */
export type RowPart = keyof Checksum;

export const seriesFact = (row: SystemRows['series']): Digest =>
  factDigest([
    row.endpoint,
    row.scope,
    row.origin,
    row.state,
    row.history,
    row.closed_at,
    row.checked_at,
    row.envelope,
    row.envelope_inputs,
    row.envelope_rows,
  ]);

export const commitFact = (row: SystemRows['commits']): Digest =>
  factDigest([row.number, row.at, row.access, row.request, row.added, row.revised, row.vanished, row.unchanged]);

export const coverageFact = (row: SystemRows['proofs']): Digest =>
  factDigest([row.access, row.starts, row.ends, row.rows, row.proven_at, row.commit_number, row.skipped]);

export const stampFact = (row: SystemRows['mirror']): Digest => factDigest([row.service, row.nature, row.bindings]);

/** A noted sum once something was added to it. */
export function checksumChangeOf(stored: Pick<SystemRows['sums'], 'rows' | 'sum'> | undefined, by: Sum): Sum {
  const words = by.words.map((word, i) => word + Number.parseInt(stored?.sum.slice(8 * i, 8 * i + 8) ?? '0', 16));
  return { rows: by.rows + (stored?.rows ?? 0), words };
}

/** The state of a series without rows. */
const EMPTY_STATE = sumText(emptySum());

/** The part of a state that speaks of the rows: the sum of their digests, whatever their order. */
export const rowsOfState = (state: string): string => state.slice(0, EMPTY_STATE.length);

/** The state of a series with such rows and such members beside them. */
export function stateOf(rows: string, envelope: string | undefined): string {
  return envelope === undefined ? rows : rows + shortHex(envelope);
}

/** When the rows of a series last changed, in milliseconds; 0 where it never had any. */
export const changedAt = ({ chain }: Pick<StoredSeries, 'chain'>): number => Number.parseInt(chain, 10);

/** The difference between the states of a series. */
export type SeriesFacts = Pick<StoredSeries, 'state' | 'chain' | 'envelope'>;

export function newSeriesFacts({ endpoint, scope, origin }: SeriesKey): SeriesFacts {
  const name = JSON.stringify([endpoint, Object.entries(scope).sort(), origin]);
  return { state: EMPTY_STATE, chain: `0 ${shortHex(name)}`, envelope: undefined };
}

/** A series after a commit: `rows` are the additions to the sum of `from`. The history moves only with rows. */
export function seriesFactsAfter(
  before: SeriesFacts,
  change: {
    readonly from: string;
    readonly rows: Sum;
    readonly commit: Omit<SystemRows['commits'], 'number' | 'series' | 'unchanged'>;
    readonly movesRows: boolean;
    readonly envelope: PageCommit['envelope'];
  },
): SeriesFacts {
  const { from, commit, movesRows, envelope } = change;
  const rows = sumText(checksumChangeOf({ rows: 0, sum: rowsOfState(from) }, change.rows));
  const { at, access, request, added, revised, vanished } = commit;
  const link = JSON.stringify([before.chain, at, access, request, added, revised, vanished, rows]);
  return {
    state: envelope ? stateOf(rows, envelope.text) : rows + before.state.slice(rows.length),
    chain: movesRows ? `${at} ${shortHex(link)}` : before.chain,
    envelope: envelope ? { ...envelope, rows } : before.envelope,
  };
}

const shortHex = (text: string): string => hash('sha256', text).slice(0, EMPTY_STATE.length);
