import type { Lack, LoadedSeries } from '../../contract/hooks.ts';
import { isKnownAt, isPresent } from '../../contract/time/known-spans.ts';
import { lacksOfUnseenTimes } from '../lacks.ts';

/** Decisions of which the mirror does not know what was known of a series: what became known before them may be missing. */
export interface UnseenDecisions {
  /** Unix seconds. */
  has(decision: number): boolean;
  /** What the decisions so far met. */
  lacks(): readonly Lack[];
}

/** Is a decision (Unix seconds) one of now? What is known then is what is known today, however old that is. */
export function isOfNow(decision: number, now: number): boolean {
  return isPresent(decision * 1000, now * 1000);
}

/** A decision knows what was known in the seconds before its own, and `now` is in Unix seconds. */
export function unseenDecisions(series: LoadedSeries | undefined, now: number): UnseenDecisions {
  const spans = series?.knownSpans;
  /** Milliseconds. */
  const met: number[] = [];
  return {
    has(decision) {
      const moment = (decision - 1) * 1000;
      if (!spans || isKnownAt(spans, moment) || isOfNow(decision, now)) return false;
      met.push(moment);
      return true;
    },
    lacks: () => (series && spans ? lacksOfUnseenTimes(series.ref, spans, met) : []),
  };
}
