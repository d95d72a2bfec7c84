import type { LoadedRow, LoadedSeries } from '../contract/hooks.ts';

/** Windows and the like in which the same rows are looked at one after the other. */
const REMEMBERED = 4;

/**
 * A pure function of an object that works its value out once, for as long as somebody keeps that very object: rows that many
 * questions are asked of are read and replayed once.
 */
export function perObject<K extends object, T extends object>(make: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, T>();
  return (key) => {
    const before = known.get(key);
    if (before) return before;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

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
