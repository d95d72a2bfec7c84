import type { LoadedSeries } from '../../contract/hooks.ts';
import type { Leg } from './legs.ts';
import type { Comparison } from './measures.ts';

/** What a person should know of a differential: why it is empty, or which of its legs are held only in part. */
export function notesOf(told: {
  readonly args: Comparison;
  readonly legs: readonly [Leg, Leg] | undefined;
  readonly measure: string | undefined;
  readonly own: boolean;
}): readonly string[] {
  const { args, legs, measure, own } = told;
  if (own) return [];
  if (measure === undefined || legs?.some(({ series }) => series.length === 0))
    return [`The mirror holds no rate that ${args.base} and ${args.quote} share for this question.`];
  const partial = (legs ?? []).flatMap(({ series }) => series).filter(({ proven }) => !proven);
  return partial.map(
    (series) => `The mirror holds ${nameOf(series)} only in part: rows may be missing. A sync completes it.`,
  );
}

function nameOf({ ref }: LoadedSeries): string {
  return [ref.endpoint, ...Object.values(ref.scope)].join(' ').toLowerCase();
}
