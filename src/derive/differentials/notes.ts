import type { LoadedSeries } from '../../contract/hooks.ts';
import { heldInPart } from '../held-in-part.ts';
import type { Leg } from './legs.ts';
import type { Comparison } from './measures.ts';

/** What a person should know of a differential: why it is empty, or which of its legs are held only in part. */
export function notesOf(told: {
  readonly args: Comparison;
  readonly legs: readonly [Leg, Leg] | undefined;
  readonly measure: string | undefined;
  readonly own: LoadedSeries | undefined;
  /** Dates of the window that both legs have. */
  readonly matched: number;
}): readonly string[] {
  const { args, legs, measure, own, matched } = told;
  if (own) return own.proven ? [] : [heldInPart(wordsOf(args))];
  if (measure === undefined || legs?.some(({ series }) => series.length === 0))
    return [`The mirror holds no rate that ${args.base} and ${args.quote} share for this question.`];
  const partial = (legs ?? []).flatMap(({ series }) => series).filter(({ proven }) => !proven);
  const apart =
    matched > 0
      ? []
      : [`The rates of ${args.base} and ${args.quote} that the mirror holds have no date in common here.`];
  return [
    ...apart,
    ...partial.map(({ ref }) => heldInPart(`${COMMANDS[ref.endpoint]} ${Object.values(ref.scope).join(' ')}`)),
  ];
}

function wordsOf({ base, quote, measure, rate_type: type }: Comparison): string {
  const settings = [measure === 'auto' ? [] : `measure=${measure}`, type === 'spot' ? [] : `rate_type=${type}`].flat();
  return ['differential', base, quote, ...settings].join(' ');
}

/** Words of the commands for what a leg is made of. */
const COMMANDS: Readonly<Record<string, string>> = { announcements: 'announcements', curves: 'curve' };
