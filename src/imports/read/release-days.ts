/** When a value can be known that its publisher brings out some business days later. */
import { zonedInstants } from '../../contract/time/moments.ts';
import { addDays, dateOf, dateToMs } from '../../contract/time/time.ts';
import { periodEnd } from '../generic/release-rule.ts';

/** Unix seconds of noon UTC of the next day: a day without an hour is over everywhere then. */
export const endOfDay = (day: string): number => dateToMs(day) / 1000 + 1.5 * DAY_SECONDS;

/** The day of an instant; of the end of a day that day. */
export const dayEndingAt = (epoch: number): string =>
  dateOf((epoch % DAY_SECONDS === DAY_SECONDS / 2 ? epoch - DAY_SECONDS : epoch) * 1000);

const DAY_SECONDS = 86_400;

/** When the report on positions of traders came out: Friday since it is weekly, later in weeks with holidays. */
const DAY = 86_400_000;

/** A clock on a wall. */
export interface WallHour {
  readonly zone: string;
  /** As a decimal: 16.25 is 16:15. */
  readonly hour: number;
}

/** When H.15 comes out on a business day: the Board of Governors has the yields, and FRED takes them from there. */
export const H15_HOUR: WallHour = { zone: 'America/New_York', hour: 16.25 };

/** Gives Unix seconds of an hour some weekdays after a date, one for each possible holiday: never too early. */
export function weekdaysLater(weekdays: number, { zone, hour }: WallHour): (date: string) => number {
  const instant = zonedInstants(zone, hour);
  return (date) => {
    let day = dateToMs(date);
    for (let left = weekdays; left > 0; ) {
      day += DAY;
      if (!isWeekend(day)) left -= 1;
    }
    return instant(day);
  };
}

/** Is it a Saturday or a Sunday, in UTC? */
export const isWeekend = (day: number): boolean => new Date(day).getUTCDay() % 6 === 0;

const CLOCK = { zone: 'America/New_York', hour: 15.5 } as const;
const instant = zonedInstants(CLOCK.zone, CLOCK.hour);

/** Report dates without a known release: shutdowns of the government, and the attack on ION in 2023. */
const DELAYED: readonly (readonly [from: string, to: string])[] = [
  ['1995-12-12', '1996-01-16'],
  ['2013-09-24', '2013-10-22'],
  ['2018-12-18', '2019-03-05'],
  ['2023-01-31', '2023-03-21'],
  ['2025-09-23', '2026-01-20'],
];

/** Days on which the government was closed once. */
const CLOSED: ReadonlySet<string> = new Set(['2004-06-11', '2007-01-02', '2018-12-05', '2025-01-09']);

/** Holidays of a fixed date; those on a Saturday are observed on Friday, as on July 3. */
const FIXED: ReadonlySet<string> = new Set(['01-01', '06-19', '07-04', '11-11', '12-24', '12-25', '12-26', '12-31']);

/**
 * First years of more frequent CFTC reports; of two rhythms in a year the later counts. From 1990: sixth business day;
 * from 1992: the third, every two weeks. Files have the week between as well.
 */
const SINCE = { twiceAMonth: '1991', weekly: '2001' } as const;
const twoWeeksLater = weekdaysLater(10, CLOCK);

/** Before 1990 the end of the month was published on the 11th or 12th of the next one; two weekdays more for holidays. */
const twoWeekdaysLater = weekdaysLater(2, CLOCK);

const monthlyIsKnown = (date: string) => twoWeekdaysLater(addDays(periodEnd(date, 'month'), 12));

/** The other date of a month is its middle, and nobody says when that one was published. */
const isMonthEnd = (date: string) => Number(date.slice(8)) >= 25;

/**
 * Gives Unix seconds of a report: Friday 15:30 in New York, or Tuesday after a possible holiday; a bound until 2000.
 * Undefined when nobody knows.
 */
export function reportIsKnown(date: string): number | undefined {
  if (DELAYED.some(([from, to]) => date >= from && date <= to)) return undefined;
  if (date < SINCE.twiceAMonth) return isMonthEnd(date) ? monthlyIsKnown(date) : undefined;
  if (date < SINCE.weekly) return twoWeeksLater(date);
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
