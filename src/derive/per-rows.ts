import type { LoadedRow, LoadedSeries } from '../contract/hooks.ts';
import { perObject } from './per-object.ts';

/** Windows and the like in which the same rows are looked at one after the other. */
const REMEMBERED = 4;

/**
 * Remembers what follows from the rows of a series, for as long as whoever loaded them keeps those very rows. `name` tells
 * apart what else it depends on.
 */
export function perRows<T>(): (series: LoadedSeries, name: string, make: () => T) => T {
  const valuesOf = perObject((_: readonly LoadedRow[]) => new Map<string, T>());
  return ({ rows }, name, make) => {
    const values = valuesOf(rows);
    const before = values.get(name);
    if (before !== undefined) return before;
    if (values.size >= REMEMBERED) values.clear();
    const made = make();
    values.set(name, made);
    return made;
  };
}
