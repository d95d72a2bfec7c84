import type { AsOf, Availability } from '../../../contract/time/moments.ts';
import type { StoredSeries } from '../../../mirror/api/series.ts';
import { lastBy } from '../../../mirror/rules/as-of/timeline.ts';
import type { Question } from '../../source.ts';
import type { MirrorQuestion } from '../answer.ts';

type State = readonly (string | number)[];

/** The part of an answer's state that comes from the moment of a question of the past. */
export interface MomentState {
  /** The inputs of the rows of all its pages. */
  readonly ofRows: State;
  /** The inputs of the rows and of the members beside them. */
  readonly ofAnswer: State;
}

/**
 * A moment that was asked for, or the last change before a replay's, so that pages of a pinned history fit. Keyless
 * callers see releases later; rows of commits show to all.
 */
export async function momentState(
  { asOf, changes, question, visible }: MirrorQuestion,
  series: readonly StoredSeries[],
): Promise<MomentState> {
  if (!asOf) return { ofRows: [], ofAnswer: [] };
  if (!changes || !question.endpoint.versioned) {
    // Only pins have to last: for other answers whole histories would be read that nobody asked for.
    const state = [`as of ${asOf.at} ${asOf.by}`];
    return { ofRows: state, ofAnswer: state };
  }
  const known = await Promise.all([...series].sort((a, b) => a.id - b.id).map(changes));
  const visibleBy = Math.min(asOf.at, (visible.cutoff ?? Number.POSITIVE_INFINITY) * 1000);
  const by = `by the clock ${asOf.by}`;
  return {
    ofRows: [
      by,
      ...known.flatMap(({ commits, all }) => [lastBy(commits, asOf.at), lastBy(all, visibleBy)]).map(String),
    ],
    ofAnswer: [by, ...known.map(({ all }) => String(lastBy(all, asOf.at)))],
  };
}

/** The moment of the context, or of the question itself; undefined for now. */
export function momentOfQuestion({ endpoint, args }: Question, asOf: AsOf | undefined): AsOf | undefined {
  if (asOf) return asOf;
  const { as_of: seconds, availability } = args;
  if (!endpoint.query.availability || typeof seconds !== 'number') return undefined;
  return { at: seconds * 1000, by: availability as Availability }; // one of the parameter's choices
}
