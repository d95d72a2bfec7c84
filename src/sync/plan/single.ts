import { addDays, dateOf, dateToMs } from '../../contract/time/time.ts';
import { coversSpan, OPEN_END } from '../../source/coverage/coverage.ts';
import { isFresh, newestInterval, type PlanTime, type SeriesState } from './state.ts';
import type { Step } from './step.ts';

/** Days before today that a schedule is asked again: releases move and are confirmed until after their day. */
const LOOKBACK_DAYS = 7;

/** First date of a schedule that is asked for. */
export function scheduleStart(now: number): string {
  return addDays(dateOf(now), -LOOKBACK_DAYS);
}

/** The one step of what a single request brings: a document, a snapshot or a schedule. */
export function planSingleStep(state: SeriesState, time: PlanTime): readonly Step[] {
  const { target, proofs } = state;
  const isSchedule = target.endpoint.mirror?.sync.kind === 'window';
  const from = dateToMs(scheduleStart(time.now)) / 1000;
  const span = { from, to: OPEN_END, isOpen: false };
  const provenAt = newestInterval(isSchedule ? proofs.filter((proof) => coversSpan([proof], span)) : proofs);
  if (provenAt !== undefined && isFresh(state, time, provenAt)) return [];
  const why = provenAt === undefined ? 'nothing is held yet' : 'may have changed since';
  return [{ target, reason: 'head', ...(isSchedule && { window: { from, to: OPEN_END } }), why }];
}
