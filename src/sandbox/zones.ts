import { dateOf, dateToMs, isoSeconds } from '../contract/time/time.ts';

/** Publisher's local time to instants. Offsets are looked up at UTC noon: no release falls on the hours of a clock change. */

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number | 'varies'>();

/** Minutes that a zone is ahead of UTC on a date. */
function offsetOf(zone: string, date: string): number {
  const month = `${zone} ${date.slice(0, 7)}`;
  const known = offsets.get(month) ?? learnMonth(zone, month, date);
  if (known !== 'varies') return known;
  const day = `${zone} ${date}`;
  const stored = offsets.get(day);
  if (typeof stored === 'number') return stored;
  const offset = lookUp(zone, date);
  offsets.set(day, offset);
  return offset;
}

/** One offset for a month whose first, middle and last day agree: no zone changes twice between two of them. */
function learnMonth(zone: string, month: string, date: string): number | 'varies' {
  const [first, middle, last] = ['01', '15', '28'].map((day) => lookUp(zone, `${date.slice(0, 8)}${day}`));
  const end = lookUp(zone, monthEnd(date));
  const offset = first !== undefined && first === middle && first === last && first === end ? first : 'varies';
  offsets.set(month, offset);
  return offset;
}

function monthEnd(date: string): string {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function lookUp(zone: string, date: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    formats.set(zone, format);
  }
  const noon = dateToMs(date) + 43_200_000;
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(noon)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
  return (Date.UTC(year, month - 1, day, hour, minute) - noon) / 60_000;
}

/** The instant (Unix seconds) of a local time of day, in minutes, on a date. */
export function localInstant(zone: string, date: string, minutes: number): number {
  return dateToMs(date) / 1000 + (minutes - offsetOf(zone, date)) * 60;
}

/** ISO form with the zone's offset. */
export function isoLocal(unix: number, zone: string): string {
  const offset = offsetOf(zone, dateOf(unix * 1000));
  return `${isoSeconds(unix + offset * 60).slice(0, 19)}${offsetText(offset)}`;
}

function offsetText(minutes: number): string {
  const ahead = Math.abs(minutes);
  const two = (count: number) => String(count).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}
