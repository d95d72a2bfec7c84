import type { LoadedSeries } from '../../contract/hooks.ts';
import type { Leg } from './legs.ts';
import { type Comparison, sharedMeasure } from './measures.ts';

/** What a person should know of a differential: why it is empty. */
export function differentialNotes(facts: {
  readonly args: Comparison;
  readonly legs: readonly [Leg, Leg] | undefined;
  readonly measure: string | undefined;
  readonly own: LoadedSeries | undefined;
  readonly rates: readonly LoadedSeries[];
  /** What is held does not tell the measure that the service would take. */
  readonly isUndecided: boolean;
  /** Dates of the window that both legs have. */
  readonly matched: number;
}): readonly string[] {
  const { args, legs, measure, own, rates, isUndecided, matched } = facts;
  if (own) return [];
  if (isUndecided)
    return [
      `Which measure the service would take cannot be told from the mirror: --measure ${sharedMeasure(args, rates) ?? 'policy_rate'} names one.`,
    ];
  if (measure === undefined || legs?.some(({ series }) => series.length === 0))
    return [`The mirror holds no rate that ${args.base} and ${args.quote} share for this question.`];
  if (matched > 0) return [];
  return [`The rates of ${args.base} and ${args.quote} that the mirror holds have no date in common here.`];
}
