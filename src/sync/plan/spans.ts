import type { SyncStrategy } from '../../contract/mapping.ts';
import { coverageFrom, missingRangesIn } from '../../contract/time/coverage.ts';
import { addDays, dateOf, dateToMs } from '../../contract/time/time.ts';
import { coversSpan, OPEN_END, type TimeRange, timeRangesOf } from '../../coverage/intervals.ts';
import { isFresh, newestInterval, type PlanTime, type SeriesState, type Step } from './step.ts';

export type Spans = SyncStrategy & { readonly kind: 'spans' };

const DAY_SECONDS = 86_400;

/** Days before today that a schedule is asked again: releases move and are confirmed until after their day. */
const LOOKBACK_DAYS = 7;

/** Steps of a history by spans: the head in as many as it takes, then uncovered ones until rows end. */
export async function planSpanSteps(state: SeriesState, time: PlanTime): Promise<readonly Step[]> {
  const { target, coveredRanges } = state;
  const sync = target.endpoint.mirror?.sync;
  if (sync?.kind !== 'spans') return [];
  const now = Math.floor(time.now / 1000);
  const proven = timeRangesOf(coveredRanges);
  const newest = proven.at(-1);
  const fresh = newest && newest.to >= Math.floor(newest.checkedAt / 1000) && isFresh(state, time, newest.checkedAt);
  const head = headSpan(sync, newest, now);
  const steps: Step[] = [];
  if (!fresh)
    for (const window of cutSpan(sync, head))
      steps.push({ target, reason: 'head', window, why: newest ? 'newest rows' : 'nothing is stored yet' });
  const behind = nextSpan(sync, fresh ? proven : [...proven, { ...head, checkedAt: time.now }], now);
  if (!behind || (await isQuiet(state, { end: behind.to, now }))) return steps;
  const from = dateToMs(sync.since) / 1000;
  const window = { from, to: behind.to };
  const isGap = proven.some((span) => span.to < behind.from);
  const why = `until nothing comes for ${sync.quietDays} days`;
  return [...steps, { target, reason: isGap ? 'gap' : 'backfill', window, why }];
}

function headSpan(sync: Spans, newest: TimeRange | undefined, now: number) {
  const from = newest ? Math.min(newest.to, now) - sync.revisionDays * DAY_SECONDS : now - sync.days * DAY_SECONDS + 1;
  return { from, to: now };
}

/** A range in spans that may be asked for, newest first. */
export function cutSpan(
  { days }: Spans,
  { from, to }: Pick<TimeRange, 'from' | 'to'>,
): readonly Pick<TimeRange, 'from' | 'to'>[] {
  const length = days * DAY_SECONDS;
  const spans = [];
  for (let end = to; end >= from; end -= length) spans.push({ from: Math.max(from, end - length + 1), to: end });
  return spans;
}

/** The newest uncovered span at or before an instant; undefined when there is none. */
export function nextSpan(
  sync: Spans,
  proven: readonly TimeRange[],
  end: number,
): Pick<TimeRange, 'from' | 'to'> | undefined {
  const range = { from: dateToMs(sync.since) / 1000, to: end };
  const missing = missingRangesIn(coverageFrom(proven, false), range).at(-1);
  if (!missing) return undefined;
  const [from, to] = [Number(missing.from), Number(missing.to)];
  return { from: Math.max(from, to - sync.days * DAY_SECONDS + 1), to };
}

/** Nothing at all came for so long behind an instant that the series is taken to begin there. */
export async function isQuiet(
  { target, id, count }: Pick<SeriesState, 'target' | 'id' | 'count'>,
  { end, now }: { end: number; now: number },
): Promise<boolean> {
  const sync = target.endpoint.mirror?.sync;
  if (sync?.kind !== 'spans') return true;
  const reach = end + sync.quietDays * DAY_SECONDS;
  if (reach > now) return false;
  return id === undefined || (await count({ from: end + 1, to: reach })) === 0;
}

/** First date of a schedule that is asked for. */
export function scheduleStart(now: number): string {
  return addDays(dateOf(now), -LOOKBACK_DAYS);
}

/** The one step of what a single request brings: a document, a snapshot or a schedule. */
export function planSingleStep(state: SeriesState, time: PlanTime): readonly Step[] {
  const { target, coveredRanges } = state;
  const isSchedule = target.endpoint.mirror?.sync.kind === 'window';
  const from = dateToMs(scheduleStart(time.now)) / 1000;
  const span = { from, to: OPEN_END, isOpen: false };
  const checkedAt = newestInterval(
    isSchedule ? coveredRanges.filter((covered) => coversSpan([covered], span)) : coveredRanges,
  );
  if (checkedAt !== undefined && isFresh(state, time, checkedAt)) return [];
  const why = checkedAt === undefined ? 'nothing is stored yet' : 'may have changed since';
  return [{ target, reason: 'head', ...(isSchedule && { window: { from, to: OPEN_END } }), why }];
}
