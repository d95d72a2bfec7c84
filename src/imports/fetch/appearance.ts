/** When a publisher's next file can be there, and whether it has been silent for too long. */
import { zonedInstants } from '../../contract/time/moments.ts';
import { addDays, dateOf, dateToMs, daysBetween } from '../../contract/time/time.ts';
import type { Appearance } from './download.ts';

/** Days that are looked through: a file of a month has days in each of them. */
const REACH_DAYS = 62;

/** The latest moment, in milliseconds, at which a new state can have come; undefined where none was. */
export function latestAppearance(appears: Appearance, now: number): number | undefined {
  return momentsAround(appears, now).findLast((at) => at <= now);
}

/** The moments of the next two months, first the next one. */
export function appearancesAhead(appears: Appearance, now: number): readonly number[] {
  return momentsAround(appears, now).filter((at) => at > now);
}

function momentsAround({ at, zone, weekdays, daysOfMonth: [first, last] = [1, 31] }: Appearance, now: number) {
  const [hours = '0', minutes = '0'] = at.split(':');
  const instant = zonedInstants(zone, Number(hours) + Number(minutes) / 60);
  const today = dateOf(now);
  return Array.from({ length: 2 * REACH_DAYS + 1 }, (_, place) => addDays(today, place - REACH_DAYS))
    .filter((date) => {
      const weekday = new Date(dateToMs(date)).getUTCDay() || 7;
      const day = Number(date.slice(8));
      return weekdays.includes(weekday) && day >= first && day <= last;
    })
    .map((date) => instant(dateToMs(date)) * 1000);
}

/**
 * Why a publisher counts as silent; undefined where it does not.
 * @param dates its newest dates, newest first
 */
export function silenceOf({ silentAfterDays }: Appearance, dates: readonly string[], now: number): string | undefined {
  const [newest, before] = dates;
  if (newest === undefined) return undefined;
  const spacing = before === undefined ? 0 : daysBetween(before, newest);
  const age = daysBetween(newest, dateOf(now));
  return age > silentAfterDays + spacing ? `its newest value is that of ${newest}, ${age} days ago` : undefined;
}
