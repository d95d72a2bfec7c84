import type { HookContext, Lack, LoadedSeries } from '../../contract/hooks.ts';
import { isKnownAt, isPresent } from '../../contract/time/known-spans.ts';
import { lacksOfUnseenTimes } from '../lacks.ts';

/** Decisions of which the mirror does not know what was known of a series: what became known before them may be missing. */
export interface UnseenDecisions {
  /** Unix seconds. */
  has(decision: number): boolean;
  /** Notes it where it is one of them. */
  meet(decision: number): void;
  /** All that was met. */
  lacks(): readonly Lack[];
}

/** When a panel is made. Both in Unix seconds. */
type Moment = Pick<HookContext<unknown>, 'now' | 'presentAt'>;

/** Is a decision (Unix seconds) one of the real present? What is known then is what is known today, however old that is. */
export function isOfNow(decision: number, { now, presentAt = now }: Moment): boolean {
  return isPresent(decision * 1000, presentAt * 1000);
}

/** A decision knows what was known in the seconds before its own. */
export function unseenDecisions(series: LoadedSeries | undefined, at: Moment): UnseenDecisions {
  const spans = series?.knownSpans;
  /** Milliseconds. */
  const met: number[] = [];
  const momentOf = (decision: number) => (decision - 1) * 1000;
  const has = (decision: number) =>
    spans !== undefined && !isKnownAt(spans, momentOf(decision)) && !isOfNow(decision, at);
  return {
    has,
    meet(decision) {
      if (has(decision)) met.push(momentOf(decision));
    },
    lacks: () => (series && spans ? lacksOfUnseenTimes(series.ref, spans, met) : []),
  };
}
