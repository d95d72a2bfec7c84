import type { HeldRef, LoadedSeries, SeriesRef } from '../../contract/hooks.ts';
import { candidatePairs, choosePath, isOfPair, type Pair } from '../forex/paths.ts';
import { isTimedFile } from './imported.ts';
import { DAILY } from './observations.ts';

/** Every series of these endpoints that a rate of the pair could follow from. */
export function seriesAround(asked: Pair, endpoints: readonly string[]): readonly SeriesRef[] {
  return candidatePairs(asked).flatMap(({ base, quote }) =>
    endpoints.map((endpoint) => ({ endpoint, scope: { base, quote } })),
  );
}

/** Leaves out daily series without times: rows of the daily route, and files whose publisher's hours nobody knows. */
export function timed(held: readonly HeldRef[]): readonly HeldRef[] {
  return held.filter((ref) => ref.endpoint !== DAILY || isTimedFile(ref));
}

/** The series of an endpoint for exactly this pair. */
export function isOwn(ref: SeriesRef, endpoint: string, asked: Pair): boolean {
  return ref.endpoint === endpoint && isOfPair(ref, asked);
}

/**
 * What an answer about the pair has to load. With the service's own series that and bulk files: the service computes its
 * inverse and cross rates itself. Without it, everything that the pair could follow from; nothing when it follows from none.
 */
export function pickAround(asked: Pair, endpoint: string, held: readonly HeldRef[]): readonly HeldRef[] {
  const usable = timed(held);
  const own = usable.filter((ref) => isOwn(ref, endpoint, asked));
  if (own.length > 0) return usable.filter((ref) => own.includes(ref) || ref.endpoint === DAILY);
  return choosePath(asked, usable) ? usable : [];
}

/** The service's own series among the loaded ones. */
export function ownAmong(loaded: readonly LoadedSeries[], endpoint: string, asked: Pair): LoadedSeries | undefined {
  return loaded.find(({ ref }) => isOwn(ref, endpoint, asked));
}
