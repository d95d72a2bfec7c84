import type { RawArgs } from '../../contract/params/param.ts';
import { addDays, BEGINNING, dateOf, parseInstant } from '../../contract/time/time.ts';

/** Days before a decision in which the newest period of any series lies that still comes out, an annual one included. */
export const BACK = 730;

/** Days from today, or from the last decision, to the last period that may have been published already. */
const AHEAD = 366;

/**
 * The window of periods when nobody names one: all that any decision could know. Where it began with the first decision, a
 * period of years ago would be found or not by what else is asked.
 */
export function fillWindow(query: RawArgs['query'], today: string): RawArgs['query'] {
  const times = (query.decision_times ?? '').split(',').flatMap((item) => parseInstant(item) ?? []);
  const last = times.reduce((latest, second) => {
    const day = dateOf(second * 1000);
    return day > latest ? day : latest;
  }, today);
  return { start_date: BEGINNING, end_date: addDays(last, AHEAD) };
}
