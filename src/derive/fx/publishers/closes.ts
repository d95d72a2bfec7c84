import { zonedInstants } from '../../../contract/time/moments.ts';
import { dateOf, dateToMs } from '../../../contract/time/time.ts';
import { isBusinessDay, SESSIONS, type SessionName } from '../../sessions.ts';

/** The close of a session on one of its business days. */
export interface Close {
  readonly date: string;
  /** Unix seconds. */
  readonly at: number;
}

const DAY = 86_400_000;

/** A session's closing hour, as its own wall shows it. */
export function closingOf(name: string) {
  const { zone, closes } = sessionOf(name);
  return { zone, local: `${String(closes).padStart(2, '0')}:00` };
}

/** The closes of a session on the weekdays from one date to another that are over at `now` (Unix seconds), oldest first. */
export function closesBetween(name: string, dates: { from: string; to: string }, now: number): readonly Close[] {
  const { zone, closes } = sessionOf(name);
  const closeOn = zonedInstants(zone, closes);
  const found: Close[] = [];
  const last = Math.min(dateToMs(dates.to), now * 1000 + DAY);
  for (let date = dateToMs(dates.from); date <= last; date += DAY) {
    if (!isBusinessDay(date)) continue;
    const at = closeOn(date);
    if (at <= now) found.push({ date: dateOf(date), at });
  }
  return found;
}

/** The date of the last close that is over, whatever its weekday: until the next one no answer changes by itself. */
export function lastClose(name: string, now: number): string {
  const { zone, closes } = sessionOf(name);
  const closeOn = zonedInstants(zone, closes);
  let date = dateToMs(dateOf(now * 1000)) + DAY;
  while (closeOn(date) > now) date -= DAY;
  return dateOf(date);
}

function sessionOf(name: string) {
  const session = SESSIONS.find((one) => one.name === name);
  if (!session) throw new Error(`There is no session '${name}'`);
  return session;
}

/** The words of the `session` parameter. */
export const SESSION_NAMES: readonly SessionName[] = SESSIONS.map(({ name }) => name);
