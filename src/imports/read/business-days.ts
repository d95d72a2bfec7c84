/** When a value can be known that its publisher brings out some business days later. */
import { zonedInstants } from '../../contract/time/instants.ts';
import { dateToMs } from '../../contract/time/time.ts';

const DAY = 86_400_000;

/** A clock on a wall. */
export interface WallHour {
  readonly zone: string;
  /** As a decimal: 16.25 is 16:15. */
  readonly hour: number;
}

/**
 * Gives the instant (Unix seconds) of an hour so many weekdays after a date. A weekday more than the publisher needs for
 * each holiday that can fall in between: no value is dated before anybody could know it.
 */
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
