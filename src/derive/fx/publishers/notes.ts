import { type Pair, pairText } from '../pairs/paths.ts';
import type { Rate } from './rates.ts';

/** What keeps a person from taking a computed rate or an assumed time for a published one. */
export function rateNotes(asked: Pair, rates: readonly Rate[]): readonly string[] {
  const notes: string[] = [];
  const pairs = new Set<string>();
  for (const { isDerived, text, sourcePair } of rates) if (isDerived && text === undefined) pairs.add(sourcePair);
  if (pairs.size > 0)
    notes.push(`${pairText(asked)} is computed from ${[...pairs].join('; ').replaceAll(',', ' and ')}.`);
  if (rates.some(({ assumed }) => assumed)) notes.push(ASSUMED_TIMES);
  return notes;
}

/** The bulk file of a publisher states no times. */
export const ASSUMED_TIMES =
  'Times of imported rates are assumed: the usual hour of publication (European Central Bank: 16:00 in Frankfurt).';
