import type { MemoryBudget } from '../../contract/memory-budget.ts';
import type { CoverageInterval, StoredSeries } from '../../mirror/api/series.ts';
import { type ByteCache, createByteCache } from './byte-cache.ts';
import type { KnownBasis } from './known-basis.ts';

/**
 * What was read of one state of a mirror besides rows: any commit ends it. Whoever asks names the series, stored or not, so it
 * takes room of the budget as rows do.
 */
export interface KeptState {
  readonly found: ByteCache<readonly StoredSeries[]>;
  readonly proofs: ByteCache<readonly CoverageInterval[]>;
  /** What questions are made of, by their name. */
  readonly bases: ByteCache<KnownBasis>;
}

export function emptyState(budget: MemoryBudget): KeptState {
  return { found: createByteCache(budget), proofs: createByteCache(budget), bases: createByteCache(budget) };
}

/** Gives the room of a state back. */
export function forgetState({ found, proofs, bases }: KeptState): void {
  for (const cache of [found, proofs, bases]) cache.clear();
}

/** What a series, an interval or a basis takes besides its texts. */
const OBJECT_BYTES = 500;

export function bytesOfSeries(found: readonly StoredSeries[]): number {
  return found.reduce((bytes, { envelope }) => bytes + (envelope?.text.length ?? 0) + OBJECT_BYTES, 0);
}

export function bytesOfIntervals(intervals: readonly CoverageInterval[]): number {
  return intervals.length * OBJECT_BYTES;
}

export function bytesOfBasis({ digest, maker }: KnownBasis): number {
  return digest.length + maker.length + OBJECT_BYTES;
}
