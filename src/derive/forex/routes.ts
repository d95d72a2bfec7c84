import type { LoadedSeries } from '../../contract/hooks.ts';
import { type History, historyOf, type Point, pointsOf, within } from './legs.ts';
import { type Pair, type Path, pathsOf } from './paths.ts';
import { type RatedPoint, rateAt } from './rates.ts';

/** A date of the asked pair with its rate and the path that it came by. */
export interface RoutedPoint extends RatedPoint {
  readonly path: Path;
}

/** A path with the histories of its legs, in their order. */
export interface Route {
  readonly path: Path;
  readonly histories: readonly History[];
  /** Dates that it offers, newest first, whatever the window. */
  readonly points: readonly Point[];
}

/** The paths over the loaded series that have any row, the best one first; those without rows when no series has one. */
export function routesOf(asked: Pair, loaded: readonly LoadedSeries[]): readonly Route[] {
  const filled = loaded.filter(({ rows }) => rows.length > 0);
  const paths = pathsOf(
    asked,
    (filled.length > 0 ? filled : loaded).map(({ ref }) => ref),
  );
  return paths.map((path) => {
    const histories = path.legs.map(({ pair }) => historyOf(pair, loaded));
    return { path, histories, points: pointsOf(histories, path.method === 'direct_original_pair') };
  });
}

/** The rates inside both bounds, newest first: each date by the best path that has a rate for it. */
export function ratesBy(routes: readonly Route[], from: string, to: string): readonly RoutedPoint[] {
  const [first, ...others] = routes.map(({ path, points }) => ({ path, points: within(points, from, to) }));
  if (!first) return [];
  const best = first.points.map((point) => rated(first.path, point));
  const byDate = new Map(others.length > 0 ? best.map((point) => [point.date, point]) : []);
  let isFilled = false;
  for (const { path, points } of others)
    for (const point of points) {
      if ((byDate.get(point.date)?.rate ?? null) !== null) continue;
      byDate.set(point.date, rated(path, point));
      isFilled = true;
    }
  return isFilled ? [...byDate.values()].sort((a, b) => (a.date < b.date ? 1 : -1)) : best;
}

function rated(path: Path, point: Point): RoutedPoint {
  return { date: point.date, parts: point.parts, rate: rateAt(path, point), path };
}
