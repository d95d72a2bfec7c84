import type { RawArgs } from '../../contract/params/param.ts';
import { addDays, dateOf, parseInstant } from '../../contract/time/time.ts';

/** Days before the first decision in which a period may lie, and days after the last one in which it may end. */
const BACK = 730;
export const AHEAD = 366;

/**
 * The window of periods when nobody names one: two years before the first decision, so that the newest period of an annual
 * series is inside, and a year after the last one, because a value may be published before its period ends.
 */
export function fillWindow(query: RawArgs['query'], today: string): RawArgs['query'] {
  const times = (query.decision_times ?? '').split(',').flatMap((item) => parseInstant(item) ?? []);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const dayOf = (second: number) => (times.length === 0 ? today : dateOf(second * 1000));
  return { start_date: addDays(dayOf(first), -BACK), end_date: addDays(dayOf(last), AHEAD) };
}
