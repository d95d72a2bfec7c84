import type { Mirror } from '../../mirror/api/mirror.ts';
import type { SeriesState } from '../plan/state.ts';
import { targetName } from './target.ts';

/** Runs that are looked at for series that failed. */
const RUNS = 200;

/**
 * The states in the order in which a run begins them: series of which nothing is stored yet, then those that are stored, at last
 * those that an earlier run could not bring. Else a run that ends early would try the same ones each time.
 */
export async function inOrderOfNeed(
  mirror: Pick<Mirror, 'runs'> | undefined,
  states: readonly SeriesState[],
): Promise<readonly SeriesState[]> {
  const runs = (await mirror?.runs(RUNS)) ?? [];
  const failed = new Set(runs.flatMap((run) => run.failed));
  const isFailed = ({ target }: SeriesState) => failed.size > 0 && failed.has(targetName(target));
  const ranked = states.map((state) => ({ state, rank: isFailed(state) ? 2 : state.id === undefined ? 0 : 1 }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ state }) => state);
}
