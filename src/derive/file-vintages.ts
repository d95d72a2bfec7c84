import type { JsonText } from '../contract/json/json.ts';
import { type ReleaseRhythm, rhythmOf, statesOf, type VintageState } from '../contract/time/vintages.ts';
import { perObject } from './memory.ts';

/** Since when the periods of a series had values. Times are Unix seconds. */
export interface VintageTimes {
  /** The first value of each period, by its date. */
  readonly begins: ReadonlyMap<string, number>;
  /** All values. */
  readonly moments: ReadonlySet<number>;
}

/** Of the rows of a file of vintages as importers spell them: an epoch stands in the list of vintages alone. */
export const fileVintages = perObject((texts: readonly JsonText[]): VintageTimes => {
  const begins = new Map<string, number>();
  const moments = new Set<number>();
  for (const text of texts) {
    const [, date] = /"date":"([^"]+)"/.exec(text) ?? [];
    const epochs = [...text.matchAll(/"epoch":(-?\d+)/g)].map(([, digits]) => Number(digits));
    if (date === undefined || epochs.length === 0) continue;
    begins.set(date, Math.min(...epochs));
    for (const epoch of epochs) moments.add(epoch);
  }
  return { begins, moments };
});

/** Does a row tell what it was published with, and when it was revised? */
export function isListingVintages(text: JsonText): boolean {
  return text.includes('"revisions":[{');
}

/** What files show of a series: the state since each vintage, in the order of time, and how often it gets a period. */
export interface VintageStates {
  readonly states: readonly VintageState[];
  readonly rhythm: ReleaseRhythm;
}

export function vintageStates({ begins, moments }: VintageTimes): VintageStates {
  return { states: statesOf(begins.values(), moments), rhythm: rhythmOf([...begins.keys()].sort()) };
}
