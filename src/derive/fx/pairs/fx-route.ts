import type { History, Points } from './legs.ts';
import type { Path } from './paths.ts';
import type { RatedPoint } from './rates.ts';

/** A date of the asked pair with its rate and the path that it came by. */
export interface RoutedPoint extends RatedPoint {
  readonly path: Path;
}

/** A path with the histories of its legs, in their order. */
export interface FxRoute {
  readonly path: Path;
  readonly histories: readonly History[];
  /** Dates that it offers, whatever the window. */
  readonly points: Points;
}

/** Rates of the asked pair, newest first, as columns. */
export interface Rates {
  readonly dates: readonly string[];
  /** NaN where a date has no rate. */
  readonly vals: Float64Array;
  /** A price of the bars, NaN where a date has none. A derived rate has none, because nobody observed it. */
  prices(name: string): Float64Array | undefined;
  /** What stands behind a rate, the stored rows included. */
  pointAt(index: number): RoutedPoint;
}
