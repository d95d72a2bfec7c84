/** When the weekly report on positions of traders came out: Friday, later in weeks with holidays. */
import { zonedInstants } from '../../contract/time/instants.ts';
import { addDays, dateToMs } from '../../contract/time/time.ts';

const DAY = 86_400_000;
const instant = zonedInstants('America/New_York', 15.5);

/** Report dates of which nobody knows the release: the government was shut, and the reports came out much later. */
const SHUT: readonly (readonly [from: string, to: string])[] = [
  ['1995-12-12', '1996-01-16'],
  ['2013-09-24', '2013-10-22'],
  ['2018-12-18', '2019-03-05'],
  ['2025-09-23', '2026-01-20'],
];

/** Days on which the government was closed once. */
const CLOSED: ReadonlySet<string> = new Set(['2004-06-11', '2007-01-02', '2018-12-05', '2025-01-09']);

/** Holidays of a fixed date, and July 3 and the like where they are kept on a Friday. */
const FIXED: ReadonlySet<string> = new Set(['01-01', '06-19', '07-04', '11-11', '12-24', '12-25', '12-26', '12-31']);

/**
 * Gives Unix seconds for the date of a report: 15:30 in New York on Friday. Where a day behind the report may be a holiday
 * it is Tuesday of the next week, which is never too early. Undefined when nobody knows.
 */
export function reportIsKnown(date: string): number | undefined {
  if (SHUT.some(([from, to]) => date >= from && date <= to)) return undefined;
  const day = dateToMs(date);
  const toFriday = (5 - new Date(day).getUTCDay() + 7) % 7 || 7;
  const between = Array.from({ length: toFriday + 1 }, (_, days) => addDays(date, days));
  return instant(day + (toFriday + (between.some(mayBeHoliday) ? 4 : 0)) * DAY);
}

function mayBeHoliday(date: string): boolean {
  const [month, number] = [date.slice(5, 7), Number(date.slice(8))];
  const weekday = new Date(dateToMs(date)).getUTCDay();
  if (month === '11' && weekday === 4 && number > 21 && number < 29) return true;
  if (weekday === 5 && FIXED.has(addDays(date, 1).slice(5))) return true;
  return CLOSED.has(date) || FIXED.has(date.slice(5));
}
