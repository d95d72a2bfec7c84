import type { Lack, LoadedSeries } from '../../../contract/hooks.ts';
import { type Bound, holesIn, type Range } from '../../../contract/time/coverage.ts';
import { lacksOfEach, lacksOfSeriesList } from '../../lacks.ts';

/**
 * Tells of a bound whether the service's own series leaves it open: there, and nowhere else, rates that are made of other
 * pairs may stand. Undefined when it decides the whole range.
 */
export function undecidedBy(own: LoadedSeries | undefined, range: Range): ((bound: Bound) => boolean) | undefined {
  if (!own) return () => true;
  const holes = holesIn(own.coverage, range);
  return holes.length === 0 ? undefined : (bound) => holes.some(({ from, to }) => from <= bound && bound <= to);
}

/**
 * What an answer about a pair lacks of a range: only the service's own series can tell that there is no other rate. Where it
 * is not stored, that of all that the rates are made of.
 */
export function lacksAround(
  own: LoadedSeries | undefined,
  loaded: readonly LoadedSeries[],
  range: Range,
): readonly Lack[] {
  return own ? lacksOfSeriesList([own], range) : lacksOfEach(loaded, range);
}
