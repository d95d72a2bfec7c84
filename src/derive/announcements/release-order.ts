// The releases of several histories in one order.
import type { LoadedRow, LoadedSeries } from '../../contract/hooks.ts';

/** A row by its place in the history of its indicator: nothing of it is parsed before it is known to stand on the page. */
export interface Place {
  readonly indicator: string;
  readonly at: number;
  readonly date: string;
  readonly release: number | undefined;
  /** When it may be seen by the keyless rules, where that is not its release. */
  readonly readable: number | undefined;
}

interface Ordered {
  readonly parts: readonly (string | readonly LoadedRow[])[];
  readonly places: readonly Place[];
}

/** By the rows of the first history, for as long as whoever loaded them keeps those very rows. */
const lastOrdered = new WeakMap<readonly LoadedRow[], Ordered>();

/** Rows of all histories, newest release first. Worked out once for the same rows. */
export function placesByRelease(histories: ReadonlyMap<string, LoadedSeries>): readonly Place[] {
  const [first] = histories.values();
  if (!first) return [];
  const parts = [...histories].flatMap(([indicator, { rows }]) => [indicator, rows]);
  const last = lastOrdered.get(first.rows);
  if (last && last.parts.length === parts.length && last.parts.every((part, i) => part === parts[i]))
    return last.places;
  const places = [...histories].flatMap(([indicator, { rows }]) => placesOf(rows, indicator)).sort(byRelease);
  lastOrdered.set(first.rows, { parts, places });
  return places;
}

function placesOf(rows: readonly LoadedRow[], indicator: string): readonly Place[] {
  return rows.map(({ columns }, at) => ({
    indicator,
    at,
    date: String(columns.date),
    release: typeof columns.announcement_datetime === 'number' ? columns.announcement_datetime : undefined,
    readable: typeof columns.released === 'number' ? columns.released : undefined,
  }));
}

/** Newest release first, ties by indicator; of one release of one indicator the newest period first. */
function byRelease(a: Place, b: Place): number {
  const [left, right] = [a.release ?? Number.NEGATIVE_INFINITY, b.release ?? Number.NEGATIVE_INFINITY];
  if (left !== right) return left > right ? -1 : 1;
  if (a.indicator !== b.indicator) return a.indicator < b.indicator ? -1 : 1;
  return a.date > b.date ? -1 : Number(a.date < b.date);
}
