import type { AsOf, Availability } from '../../../contract/time/moments.ts';
import type { StoredSeries } from '../../../mirror/api/series.ts';
import { lastBy } from '../../../mirror/rules/as-of/timeline.ts';
import type { Question } from '../../source.ts';
import type { MirrorQuestion } from '../answer.ts';

/** A moment that was asked for, or the last changes before that of a replay, whose clock alone changes nothing. */
export async function momentState(
  { asOf, changes, question }: MirrorQuestion,
  series: readonly StoredSeries[],
): Promise<readonly string[]> {
  if (!asOf) return [];
  // Only pins have to last: for other answers whole histories would be read that nobody asked for.
  if (!changes || !question.endpoint.versioned) return [`as of ${asOf.at} ${asOf.by}`];
  const known = await Promise.all([...series].sort((a, b) => a.id - b.id).map(changes));
  return [`by the clock ${asOf.by}`, ...known.map(({ all }) => String(lastBy(all, asOf.at)))];
}

/** The moment of the context, or of the question itself; undefined for now. */
export function momentOfQuestion({ endpoint, args }: Question, asOf: AsOf | undefined): AsOf | undefined {
  if (asOf) return asOf;
  const { as_of: seconds, availability } = args;
  if (!endpoint.query.availability || typeof seconds !== 'number') return undefined;
  return { at: seconds * 1000, by: availability as Availability }; // one of the parameter's choices
}
