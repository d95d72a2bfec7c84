import type { Digest } from './digest.ts';

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

export const isNothing = ({ rows, words }: Sum): boolean => rows === 0 && words.every((word) => word === 0);

export function sumOf(digests: readonly Digest[]): Sum {
  const sum = emptySum();
  for (const digest of digests) addTo(sum, digest);
  return sum;
}

/** Which of the three tables of an endpoint. */
export type RowPart = keyof Checksum;
