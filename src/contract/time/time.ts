/** Calendar arithmetic on UTC dates (`YYYY-MM-DD`) and instants (Unix seconds). Pure: the clock is the caller's. */

const DAY = 86_400_000;

/** First date that a history is asked from: before any series of any publisher. */
export const BEGINNING = '1900-01-01';

/** First and last instant (Unix seconds) and last date that the wire can spell: their years have four digits. */
export const FIRST_SECOND = -62_167_219_200;
export const LAST_DATE = '9999-12-31';
export const LAST_SECOND = 253_402_300_799;

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Making a formatter is slow, and a timetable asks for the same four zones again and again. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** True for a date that exists: 2026-02-30 does not. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return day >= 1 && day <= lastDayOf(year, month);
}

/** The last day of a month (1 to 12); 0 of any other number. */
export function lastDayOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (LENGTHS[month - 1] ?? 0);
}

/** The UTC date of an instant in milliseconds. @throws RangeError outside of the calendar. */
export function dateOf(ms: number): string {
  const at = new Date(ms);
  const year = at.getUTCFullYear();
  // A third of the time of `toISOString`, which every row of an answer would take.
  if (year >= 1000 && year <= 9999) return `${year}-${TWO_DIGITS[at.getUTCMonth() + 1]}-${TWO_DIGITS[at.getUTCDate()]}`;
  return at.toISOString().slice(0, 10);
}

const TWO_DIGITS = Array.from({ length: 32 }, (_, number) => String(number).padStart(2, '0'));

/** Midnight UTC of a date, in milliseconds. */
export function dateToMs(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

export function addDays(date: string, days: number): string {
  return dateOf(dateToMs(date) + days * DAY);
}

/** The same day of another month; the last one of a month that is too short. Empty where the calendar ends. */
export function addMonths(date: string, count: number): string {
  const [first = 0, of = 0, last = 0] = date.split('-').map(Number);
  const place = first * 12 + of - 1 + count;
  const [year, month] = [Math.floor(place / 12), (place % 12) + 1];
  const day = Math.min(last, lastDayOf(year, month));
  const moved = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
  return isCalendarDate(moved) ? moved : '';
}

/** Whole days from one date to another; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((dateToMs(to) - dateToMs(from)) / DAY);
}

/** Unix seconds of a whole number of nanoseconds, the next full one; undefined for anything else. */
export function secondsOfNs(digits: unknown): number | undefined {
  if (typeof digits !== 'string' || !/^-?\d{1,20}$/.test(digits)) return undefined;
  return Number((BigInt(digits) + 999_999_999n) / 1_000_000_000n);
}

/** ISO form with `Z` and whole seconds, as the service spells instants. */
export function isoSeconds(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** A date, an ISO date-time (UTC when it has no offset) or Unix seconds, as Unix seconds; undefined for anything else. */
export function parseInstant(raw: string): number | undefined {
  const seconds = readInstant(raw.trim());
  if (seconds === undefined || seconds < FIRST_SECOND || seconds > LAST_SECOND) return undefined;
  return seconds;
}

/** An instant in either of its spellings on the wire, Unix seconds or ISO text, as Unix seconds. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

function readInstant(text: string): number | undefined {
  if (/^[+-]?\d{1,12}$/.test(text)) return Number(text);
  if (isCalendarDate(text)) return dateToMs(text) / 1000;
  const match =
    /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (!match || !isCalendarDate(match[1] ?? '')) return undefined;
  const offset = (match[5] ?? 'Z').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const ms = Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4] ?? '00'}${offset}`);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

/** How far the wall clock of a zone is ahead of UTC at an instant, in milliseconds. */
export function zoneOffset(zone: string, instant: number): number {
  const shown = formatterOf(zone).format(instant);
  // `GMT` alone is no offset; local mean times of long ago carry seconds: `GMT+09:18:59`.
  const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(shown);
  if (!match) throw new RangeError(`No offset of ${zone} in '${shown}'`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/** The instant of a wall time. A repeated time is the first; a skipped one keeps the offset from before the change. */
export function wallInstant(zone: string, wall: number): number {
  return instantOfWall(wall, (instant) => zoneOffset(zone, instant));
}

/** The same with the offsets of a zone as somebody tells them. */
export function instantOfWall(wall: number, offsetAt: (instant: number) => number): number {
  // No zone changes twice within two days, so these are the offsets on both sides of a change, if there is one.
  const before = offsetAt(wall - DAY);
  const after = offsetAt(wall + DAY);
  if (before === after || offsetAt(wall - before) === before) return wall - before;
  return offsetAt(wall - after) === after ? wall - after : wall - before;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formatters.set(zone, made);
  return made;
}
