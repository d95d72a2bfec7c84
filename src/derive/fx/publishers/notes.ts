import type { Range } from '../../../contract/time/coverage.ts';
import { fxPublisherOf } from '../../../contract/words/fx-publishers.ts';
import { nearest } from '../../../contract/words/nearest.ts';
import { type Pair, pairText } from '../pairs/paths.ts';
import type { Rate } from './rates.ts';

/** What keeps a person from taking a computed rate or an assumed time for a published one. */
export function rateNotes(pair: Pair, rates: readonly Rate[]): readonly string[] {
  const notes: string[] = [];
  const pairs = new Set<string>();
  for (const { isDerived, text, sourcePair } of rates) if (isDerived && text === undefined) pairs.add(sourcePair);
  if (pairs.size > 0)
    notes.push(`${pairText(pair)} is computed from ${[...pairs].join('; ').replaceAll(',', ' and ')}.`);
  return [...notes, ...assumedTimes(rates)];
}

/** The file of a publisher states no times: the note that says which ones are assumed, where any is. */
export function assumedTimes(rates: readonly Pick<Rate, 'assumed' | 'parts'>[]): readonly string[] {
  const origins = new Set<string>();
  for (const { assumed, parts } of rates) if (assumed) for (const { origin } of parts) origins.add(origin);
  const times = [...origins].flatMap((origin) => {
    const publisher = fxPublisherOf(origin);
    return publisher ? [`${publisher.name}: ${publisher.when}`] : [];
  });
  if (times.length === 0) return [];
  return [`Times of imported rates are assumed: the usual hour of publication (${times.join('; ')}).`];
}

/** Publishers whose rates an answer may lack. */
export function absentNotes(names: readonly string[], { from, to }: Range): readonly string[] {
  if (names.length === 0) return [];
  const dates = from === to ? from : `all of ${from} to ${to}`;
  return [`No file that is held covers ${dates} for: ${names.join(', ')}.`];
}

/** What an answer about an id of no source says: which ids there are. `known` are those of `what`. */
export function unknownSourceNotes(
  source: string | undefined,
  { known, what }: { readonly known: Iterable<string>; readonly what: string },
): readonly string[] {
  const ids = [...new Set(known)].sort();
  if (source === undefined || ids.length === 0 || ids.includes(source)) return [];
  const guess = nearest(source, ids);
  const meant = guess === undefined ? '' : ` Did you mean ${guess}?`;
  return [`'${source}' is no source of ${what} here: sources are ${ids.join(', ')}.${meant}`];
}
