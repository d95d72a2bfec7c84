import type { PublishedRate } from './published-rate.ts';

/** Something for each source, moment, kind of time and date. Numbers are looked up first: texts would cost several times as much. */
export interface ByMoment<T> {
  get(one: PublishedRate): T | undefined;
  put(one: PublishedRate, value: T): void;
  /** Everything, in the order in which it was put. */
  all(): readonly T[];
}

export function byMoment<T>(): ByMoment<T> {
  const found = new Map<number, { readonly of: PublishedRate; readonly value: T }[]>();
  const values: T[] = [];
  return {
    get: (one) => found.get(one.at)?.find(({ of }) => isSame(of, one))?.value,
    put(one, value) {
      const entry = { of: one, value };
      const others = found.get(one.at);
      if (others) others.push(entry);
      else found.set(one.at, [entry]);
      values.push(value);
    },
    all: () => values,
  };
}

function isSame(a: PublishedRate, b: PublishedRate): boolean {
  return a.sourceId === b.sourceId && a.type === b.type && a.date === b.date;
}
