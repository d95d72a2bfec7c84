import type { CoveringSeries, LoadedSeries, SeriesRef, StoredRef } from '../../../contract/hooks.ts';
import { candidatePairs, choosePath, isOfPair, type Pair } from '../pairs/paths.ts';
import { isTimedFile } from './imported.ts';
import { DAILY } from './observations.ts';

/** Every series of these endpoints that a rate of the pair could follow from. */
export function seriesAround(asked: Pair, endpoints: readonly string[]): readonly SeriesRef[] {
  return candidatePairs(asked).flatMap(({ base, quote }) =>
    endpoints.map((endpoint) => ({ endpoint, scope: { base, quote } })),
  );
}

/** Leaves out daily series without times: rows of the daily route, and files whose publisher's hours nobody knows. */
export function timed(held: readonly StoredRef[]): readonly StoredRef[] {
  return held.filter((ref) => ref.endpoint !== DAILY || isTimedFile(ref));
}

/** The series of an endpoint for exactly this pair. */
function isOwn(ref: SeriesRef, endpoint: string, asked: Pair): boolean {
  return ref.endpoint === endpoint && isOfPair(ref, asked);
}

/** The series that answer for a pair. */
export interface Around {
  reads(asked: Pair): readonly SeriesRef[];
  pick(asked: Pair, held: readonly StoredRef[]): readonly StoredRef[];
  follow(asked: Pair, loaded: readonly LoadedSeries[]): readonly SeriesRef[];
  vouches(asked: Pair, picked: readonly StoredRef[]): CoveringSeries | undefined;
}

/**
 * What an answer of an endpoint about a pair is made of. The service's own series alone, where it is proven to be all: the
 * service computes inverse and cross rates itself. Else everything that the pair could follow from; nothing when it follows
 * from none. Only the service's own series can tell that an answer is complete.
 */
export function around(endpoint: string, others: readonly string[]): Around {
  const ownOf = (asked: Pair, held: readonly StoredRef[]) => held.filter((ref) => isOwn(ref, endpoint, asked));
  const reads = (asked: Pair) => seriesAround(asked, [endpoint, ...others]);
  return {
    reads,
    pick(asked, held) {
      const own = ownOf(asked, held);
      if (own.length > 0) return own;
      const usable = timed(held);
      return choosePath(asked, usable) ? usable : [];
    },
    follow(asked, loaded) {
      const own = ownAmong(loaded, endpoint, asked);
      return own && !own.proven ? reads(asked) : [];
    },
    vouches(asked, picked) {
      const series = ownOf(asked, picked);
      return series.length > 0 ? { series } : undefined;
    },
  };
}

/** The service's own series among the loaded ones. */
export function ownAmong(loaded: readonly LoadedSeries[], endpoint: string, asked: Pair): LoadedSeries | undefined {
  return loaded.find(({ ref }) => isOwn(ref, endpoint, asked));
}
