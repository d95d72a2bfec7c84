import type { LoadedSeries } from '../contract/hooks.ts';

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
 * What follows from the rows of one series and the name alone. The name says whatever else of the series the value rests on,
 * such as its coverage.
 */
export function seriesColumn<T extends object>(series: LoadedSeries, name: string, make: () => T): T {
  return series.column ? series.column(name, make) : make();
}
