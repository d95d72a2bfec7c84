import { wallInstant, zoneOffset } from '../sessions/zone.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STRETCH = 28 * DAY;

/**
 * Gives the instant (Unix seconds) at which a zone's clock shows a full hour of a date, which is given as its midnight in
 * UTC (milliseconds). Asking a zone is slow and years of dates are asked for, so four weeks at whose ends the zone has one
 * offset are taken to have it throughout: no zone that is asked for here changes and changes back within them.
 */
export function zonedInstants(zone: string, hour: number): (date: number) => number {
  const ends = new Map<number, number>();
  const offsetAt = (end: number): number => {
    const known = ends.get(end) ?? zoneOffset(zone, end);
    ends.set(end, known);
    return known;
  };
  return (date) => {
    const wall = date + hour * HOUR;
    const start = Math.floor(wall / STRETCH) * STRETCH;
    // A day more on both sides, as a wall clock is up to that far from UTC.
    const offset = offsetAt(start - DAY);
    const isSettled = offset === offsetAt(start + STRETCH + DAY);
    return (isSettled ? wall - offset : wallInstant(zone, wall)) / 1000;
  };
}
