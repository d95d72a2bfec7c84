import type { LoadedSeries } from '../../../contract/hooks.ts';
import { bothChecks, type Consistency } from './consistency.ts';
import type { RoutedPoint } from './fx-route.ts';
import type { Path } from './paths.ts';
import { type CheckedPoint, isWhollyMade } from './rows.ts';

/** What is said of all rows of a window together. */
export interface WindowFacts {
  readonly rows: number;
  /** All of them are made here, of nothing but dates and values. */
  readonly areMade: boolean;
  /** How many rows came by each path, that of the newest row first. */
  readonly paths: ReadonlyMap<Path, number>;
  /** Series that any row is from. */
  readonly series: ReadonlySet<LoadedSeries>;
  /** Of all of them; not applicable without any. */
  readonly check: Consistency;
  /** The newest derived rates, so many as tell how many digits their legs have. */
  readonly derived: readonly RoutedPoint[];
}

/** Newest rates that tell how many digits a leg has. */
const MAX_DERIVED = 60;

/** Looks at the points of a window, newest first, and keeps none of them: a window may be a whole history. */
export function factsOfWindow(points: Iterable<CheckedPoint>): WindowFacts {
  const paths = new Map<Path, number>();
  const series = new Set<LoadedSeries>();
  const derived: RoutedPoint[] = [];
  let rows = 0;
  let areMade = true;
  let check: Consistency = 'not_applicable';
  for (const point of points) {
    rows += 1;
    areMade = areMade && isWhollyMade(point);
    paths.set(point.path, (paths.get(point.path) ?? 0) + 1);
    for (const part of point.parts) series.add(part.series);
    if (point.path.method !== 'direct_original_pair' && derived.length < MAX_DERIVED) derived.push(point);
    check = bothChecks(check, point.check);
  }
  return { rows, areMade, paths, series, check, derived };
}
