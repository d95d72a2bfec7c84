import type { LoadedSeries } from '../../contract/hooks.ts';
import { type Pair, pairText } from '../forex/paths.ts';
import { heldInPart } from '../held-in-part.ts';
import type { Rate } from './rates.ts';

/** What keeps a person from taking a computed rate or an assumed time for a published one. */
export function notesOf(asked: Pair, rates: readonly Rate[], own: Own): readonly string[] {
  const notes: string[] = [...partNotes(asked, own)];
  const pairs = new Set<string>();
  for (const { isDerived, text, sourcePair } of rates) if (isDerived && text === undefined) pairs.add(sourcePair);
  if (pairs.size > 0)
    notes.push(`${pairText(asked)} is computed from ${[...pairs].join('; ').replaceAll(',', ' and ')}.`);
  if (rates.some(({ assumed }) => assumed)) notes.push(ASSUMED_TIMES);
  return notes;
}

/** The service's own series of a pair, and the command that brings it. */
export interface Own {
  readonly command: string;
  readonly series: LoadedSeries | undefined;
}

/** The service may know of more than it has told yet. */
export function partNotes({ base, quote }: Pair, { command, series }: Own): readonly string[] {
  return series && !series.proven ? [heldInPart(`${command} ${base} ${quote}`)] : [];
}

/** The bulk file of a publisher states no times. */
export const ASSUMED_TIMES =
  'Times of imported rates are assumed: the usual hour of publication (European Central Bank: 16:00 in Frankfurt).';
