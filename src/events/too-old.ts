import type { JournalEvent } from '../mirror/api/journal.ts';

/** Whether an event is no longer wanted at a moment. Milliseconds, both; the time of an event is the second in which it was processed. */
export function isTooOld(
  { timestamp }: Pick<JournalEvent, 'timestamp'>,
  maxAge: number | undefined,
  at: number,
): boolean {
  return maxAge !== undefined && at - timestamp * 1000 > maxAge;
}
