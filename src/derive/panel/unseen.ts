import type { Lack, LoadedSeries } from '../../contract/hooks.ts';
import { lackOfUnseen } from '../lacks.ts';

/** Decisions that a series was not looked at for: what became known before them may be missing. */
export interface UnseenDecisions {
  /** Unix seconds. */
  has(decision: number): boolean;
  /** What the decisions so far met. */
  lacks(): readonly Lack[];
}

/** Has a decision passed? One that is still to come is answered from what is known today. */
export function isOver(decision: number, now: number): boolean {
  return decision < now;
}

/** A decision knows what was known in the seconds before its own, and `now` is in Unix seconds. */
export function unseenDecisions(series: LoadedSeries | undefined, now: number): UnseenDecisions {
  const lookedAt = series?.lookedAt ?? Number.POSITIVE_INFINITY;
  let until = lookedAt;
  return {
    has(decision) {
      const knows = (decision - 1) * 1000;
      if (knows <= lookedAt || !isOver(decision, now)) return false;
      until = Math.max(until, knows);
      return true;
    },
    lacks: () => (series && until > lookedAt ? [lackOfUnseen(series.ref, { lookedAt, until })] : []),
  };
}
