import { addDays, addMonths, dateOf, isCalendarDate, isoSeconds } from '../../contract/time/time.ts';

/**
 * A date as people type it: `today`, `yesterday`, `tomorrow`, `ytd` (1 January), `-90d`, `-2w`, `-3m`, `-2y`, `+7d`. Anything
 * else is given back as it is, for the contract to read or refuse.
 */
export function readDateWord(text: string, today: string): string {
  const word = text.trim().toLowerCase();
  if (word === 'today') return today;
  if (word === 'yesterday') return addDays(today, -1);
  if (word === 'tomorrow') return addDays(today, 1);
  if (word === 'ytd') return `${today.slice(0, 4)}-01-01`;
  const [, sign, count = '', unit] = /^([+-])(\d{1,5})([dwmy])$/.exec(word) ?? [];
  if (unit === undefined) return text.trim();
  const moved = move(today, sign === '-' ? -Number(count) : Number(count), unit);
  return isCalendarDate(moved) ? moved : text.trim();
}

/** In seconds. Three months are written -3m, so minutes are not. */
const CLOCK: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

/**
 * A moment as people type it: `now`, `-6h`, `-30min`, `-90s`, all to the second; else a date as in `readDateWord`, which is
 * the beginning of its day. Anything else is given back as it is. `now` in milliseconds.
 */
export function readMomentWord(text: string, now: number): string {
  const word = text.trim().toLowerCase();
  const seconds = Math.floor(now / 1000);
  if (word === 'now') return isoSeconds(seconds);
  const [, sign, count = '', unit] = /^([+-])(\d{1,7})(s|min|h)$/.exec(word) ?? [];
  if (unit === undefined) return readDateWord(text, dateOf(now));
  const moved = Number(count) * (CLOCK[unit] ?? 0);
  return isoSeconds(sign === '-' ? seconds - moved : seconds + moved);
}

function move(today: string, count: number, unit: string): string {
  if (unit === 'd') return addDays(today, count);
  if (unit === 'w') return addDays(today, 7 * count);
  return addMonths(today, unit === 'm' ? count : 12 * count);
}
