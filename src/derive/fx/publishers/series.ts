import type { CoveringSeries, LoadedSeries, SeriesRef, StoredRef } from '../../../contract/hooks.ts';
import { candidatePairs, choosePath, fileAnchorsOf, isOfPair, isOfPath, type Pair, pathsOf } from '../pairs/paths.ts';
import { isTimedFile } from './imported.ts';
import { DAILY } from './observations.ts';

/** Every series of these endpoints that a rate of the pair could follow from. */
export function seriesAround(pair: Pair, endpoints: readonly string[]): readonly SeriesRef[] {
  return candidatePairs(pair).flatMap(({ base, quote }) =>
    endpoints.map((endpoint) => ({ endpoint, scope: { base, quote } })),
  );
}

/** Leaves out daily series without times: rows of the daily route, and files whose publisher's hours nobody knows. */
export function timed(stored: readonly StoredRef[]): readonly StoredRef[] {
  return stored.filter((ref) => ref.endpoint !== DAILY || isTimedFile(ref));
}

/** The series that a rate of the pair may follow from. By an anchor that the service does not use only files lead. */
function selectRateSeries(pair: Pair, stored: readonly StoredRef[]): readonly StoredRef[] {
  const paths = pathsOf(pair, stored);
  const isOfFileAnchor = ({ scope }: StoredRef) =>
    fileAnchorsOf(pair).some((anchor) => anchor === scope.base || anchor === scope.quote);
  return stored.filter((ref) => !isOfFileAnchor(ref) || paths.some((path) => isOfPath(ref, path)));
}

/** The series of an endpoint for exactly this pair. */
function isOwn(ref: SeriesRef, endpoint: string, pair: Pair): boolean {
  return ref.endpoint === endpoint && isOfPair(ref, pair);
}

/** The series that answer for a pair. */
export interface Around {
  reads(pair: Pair): readonly SeriesRef[];
  selectSeries(pair: Pair, stored: readonly StoredRef[]): readonly StoredRef[];
  follow(pair: Pair, loaded: readonly LoadedSeries[]): readonly SeriesRef[];
  vouches(pair: Pair, picked: readonly StoredRef[]): CoveringSeries | undefined;
}

/**
 * What an answer of an endpoint about a pair is made of. The service's own series alone, where it is proven to be all: the
 * service computes inverse and cross rates itself. Else everything that the pair could follow from; nothing when it follows
 * from none. Only the service's own series can tell that an answer is complete.
 */
export function around(endpoint: string, others: readonly string[]): Around {
  const ownOf = (pair: Pair, stored: readonly StoredRef[]) => stored.filter((ref) => isOwn(ref, endpoint, pair));
  const reads = (pair: Pair) => seriesAround(pair, [endpoint, ...others]);
  return {
    reads,
    selectSeries(pair, stored) {
      const own = ownOf(pair, stored);
      if (own.length > 0) return own;
      return choosePath(pair, timed(stored)) ? selectRateSeries(pair, timed(stored)) : [];
    },
    follow(pair, loaded) {
      const own = ownAmong(loaded, endpoint, pair);
      return own && !own.proven ? reads(pair) : [];
    },
    vouches(pair, picked) {
      const series = ownOf(pair, picked);
      return series.length > 0 ? { series } : undefined;
    },
  };
}

/** The service's own series among the loaded ones. */
export function ownAmong(loaded: readonly LoadedSeries[], endpoint: string, pair: Pair): LoadedSeries | undefined {
  return loaded.find(({ ref }) => isOwn(ref, endpoint, pair));
}
