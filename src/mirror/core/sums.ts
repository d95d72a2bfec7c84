import type { LedgerSchema } from '../ledger/ledger.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import { type Digest, factDigest } from './digest.ts';

/**
 * How many rows there are and the sum of their digests, whatever their order: AdHash of Bellare and Micciancio (1997), in
 * four words of 32 bits. It finds what went wrong and what was altered by hand; who writes a program that moves the sums
 * along can deceive it.
 */
export interface Sum {
  rows: number;
  readonly words: Uint32Array;
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

/** What a commit does to the sums of its series. */
export interface Checksum {
  readonly current: Sum;
  readonly superseded: Sum;
  readonly vintages: Sum;
}

export const emptyChecksum = (): Checksum => ({ current: emptySum(), superseded: emptySum(), vintages: emptySum() });

/** What a transaction adds to the sums of a series. */
export interface ChecksumChange extends Checksum {
  readonly commits: Sum;
}

export const noChecksumChange = (): ChecksumChange => ({ ...emptyChecksum(), commits: emptySum() });

/** What is summed: rows of a series by where they stand, and rows of the ledger. */
export type ChecksumPart = keyof ChecksumChange | 'proofs' | 'series' | 'stamp';

/** The stamp belongs to no series. */
export const WHOLE_FILE = 0;

type SeriesFacts = LedgerSchema['series'];
type CommitFacts = LedgerSchema['commits'];
type ProofFacts = LedgerSchema['proofs'];

export const seriesFact = (row: SeriesFacts): Digest =>
  factDigest([
    row.endpoint,
    row.scope,
    row.origin,
    row.generation,
    row.checked_at,
    row.envelope,
    row.envelope_inputs,
    row.envelope_commit,
  ]);

export const commitFact = (row: CommitFacts): Digest =>
  factDigest([row.number, row.at, row.access, row.request, row.added, row.revised, row.vanished, row.unchanged]);

export const coverageFact = (row: ProofFacts): Digest =>
  factDigest([
    ...[row.access, row.starts, row.ends, row.rows, row.proven_at, row.commit_number, row.held],
    // Digests from before it was kept stay what they are.
    ...(row.skipped === null || row.skipped === undefined ? [] : [row.skipped]),
  ]);

export const stampFact = (row: LedgerSchema['mirror']): Digest => factDigest([row.service, row.nature]);

export const isNothing = ({ rows, words }: Sum): boolean => rows === 0 && words.every((word) => word === 0);

/** A noted sum once something was added to it. */
export function checksumChangeOf(held: Pick<LedgerSchema['sums'], 'rows' | 'sum'> | undefined, by: Sum): Sum {
  const words = by.words.map((word, i) => word + Number.parseInt(held?.sum.slice(8 * i, 8 * i + 8) ?? '0', 16));
  return { rows: by.rows + (held?.rows ?? 0), words };
}

export function sumOf(digests: readonly Digest[]): Sum {
  const sum = emptySum();
  for (const digest of digests) addTo(sum, digest);
  return sum;
}

/** Keeps the sums. Everything here runs inside the transaction that changes what is summed. */
export function sumStatements(db: SqliteConnection) {
  const select = db.prepare<unknown[], LedgerSchema['sums']>('select * from sums where series = ? and part = ?');
  const put = db.prepare('insert or replace into sums (series, part, rows, sum) values (?, ?, ?, ?)');
  const series = db.prepare<[number], SeriesFacts>('select * from series where id = ?');
  const proofs = db.prepare<[number], ProofFacts>('select * from proofs where series = ?');
  const stamp = db.prepare<[], LedgerSchema['mirror']>('select * from mirror');

  const set = (id: number, part: ChecksumPart, { rows, words }: Sum) =>
    put.run(id, part, rows, sumText({ rows, words }));
  const setAll = (id: number, part: ChecksumPart, digests: readonly Digest[]) => set(id, part, sumOf(digests));
  const move = (id: number, part: ChecksumPart, by: Sum) => {
    if (!isNothing(by)) set(id, part, checksumChangeOf(select.get(id, part), by));
  };
  return {
    set,
    move(id: number, { current, superseded, vintages, commits }: ChecksumChange) {
      move(id, 'current', current);
      move(id, 'superseded', superseded);
      move(id, 'vintages', vintages);
      move(id, 'commits', commits);
    },
    sealSeries: (id: number) => setAll(id, 'series', series.all(id).map(seriesFact)),
    sealProofs: (id: number) => setAll(id, 'proofs', proofs.all(id).map(coverageFact)),
    sealStamp: () => setAll(WHOLE_FILE, 'stamp', stamp.all().map(stampFact)),
  };
}
