import { zonedInstants } from '../contract/time/moments.ts';
import { dateOf, dateToMs, isoSeconds } from '../contract/time/time.ts';

/** Publisher's local time to instants, by the offset at local noon: no release falls on the hours of a clock change. */

const NOON = 12;
const noons = new Map<string, (date: number) => number>();

/** Minutes that a zone is ahead of UTC on a date. */
function offsetOf(zone: string, date: string): number {
  const noonOf = noons.get(zone) ?? zonedInstants(zone, NOON);
  noons.set(zone, noonOf);
  const midnight = dateToMs(date);
  return NOON * 60 - (noonOf(midnight) - midnight / 1000) / 60;
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
