import type { PublishedRate } from './published-rate.ts';

/** Something for each source, moment, kind of time and date. Numbers are looked up first: texts would cost several times as much. */
export interface ByMoment<T> {
  get(one: PublishedRate): Placed<T> | undefined;
  put(one: PublishedRate, value: T): void;
  /** Everything, in the order in which it was put. */
  all(): readonly T[];
}

/** A value and the observation that it was put for first. */
export interface Placed<T> {
  readonly of: PublishedRate;
  readonly value: T;
}

/** Those of one moment follow each other: lists of them would take as much as they do. */
interface Place<T> extends Placed<T> {
  next: Place<T> | undefined;
}

export function byMoment<T>(): ByMoment<T> {
  const found = new Map<number, Place<T>>();
  const values: T[] = [];
  return {
    get(one) {
      let place = found.get(one.at);
      while (place && !isSame(place.of, one)) place = place.next;
      return place;
    },
    put(one, value) {
      const place: Place<T> = { of: one, value, next: undefined };
      let last = found.get(one.at);
      while (last?.next) last = last.next;
      if (last) last.next = place;
      else found.set(one.at, place);
      values.push(value);
    },
    all: () => values,
  };
}

function isSame(a: PublishedRate, b: PublishedRate): boolean {
  return a.sourceId === b.sourceId && a.type === b.type && a.date === b.date;
}
