import { listSpan } from '../../source/coverage/coverage.ts';
import { isFresh, newestInterval, type PlanTime, type SeriesState } from './state.ts';
import type { Step } from './step.ts';

/** Longest time between two walks to the very end, in milliseconds: old rows may be corrected too. */
const WHOLE_EVERY = 7 * 86_400_000;

/**
 * Steps of a list without a window. A list that grows at its top is walked until a page brings nothing new, once its end
 * was reached; a checkpointed one grows at its end, and every now and then all are walked whole.
 */
export function planPageSteps(state: SeriesState, time: PlanTime): readonly Step[] {
  const { target, walk, proofs } = state;
  if (walk) return [{ target, reason: 'backfill', why: 'goes on where an earlier run stopped' }];
  const whole = proofs.filter(({ from }) => String(from) <= listSpan(time.now).from);
  const provenAt = newestInterval(whole);
  if (provenAt === undefined) return [{ target, reason: 'head', why: 'nothing is proven yet: to the end' }];
  const wholeDue = time.check || time.now - walkedWhole(state) >= WHOLE_EVERY;
  if (wholeDue) return [{ target, reason: 'check', why: 'to the end, in case old rows were corrected' }];
  if (isFresh(state, time, newestInterval(proofs) ?? provenAt)) return [];
  if (target.endpoint.paging.kind === 'checkpoint') return [{ target, reason: 'head', why: 'it grows at its end' }];
  return [{ target, reason: 'head', firstPage: true, why: 'newest rows, until a page brings none' }];
}

/** When the list was last read to its end. */
function walkedWhole({ proofs }: SeriesState): number {
  return newestInterval(proofs.filter(({ from }) => String(from) <= '0000-01-01')) ?? 0;
}
