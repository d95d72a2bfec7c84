import { instantOfWall, zoneOffset } from './zone.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STRETCH = 7 * DAY;

/** Offsets that were asked for, by zone and instant: years of dates share a few hundred of them. */
const known = new Map<string, Map<number, number>>();
const MAX_KNOWN_TEXTS = 20_000;

/**
 * Gives the instant (Unix seconds) at which a zone's clock shows a full hour of a date, which is given as its midnight in
 * UTC (milliseconds). Asking a zone is slow and years of dates are asked for, so a week at whose ends the zone has one offset
 * is taken to have it throughout: no zone changes and changes back within that time.
 */
export function zonedInstants(zone: string, hour: number): (date: number) => number {
  const offsets = offsetsOf(zone);
  const offsetAt = (instant: number): number => {
    const stored = offsets.get(instant);
    if (stored !== undefined) return stored;
    const offset = zoneOffset(zone, instant);
    offsets.set(instant, offset);
    return offset;
  };
  return (date) => {
    const wall = date + hour * HOUR;
    const start = Math.floor(wall / STRETCH) * STRETCH;
    // A day more on both sides, as a wall clock is up to that far from UTC.
    const offset = offsetAt(start - DAY);
    const isSettled = offset === offsetAt(start + STRETCH + DAY);
    return (isSettled ? wall - offset : instantOfWall(wall, offsetAt)) / 1000;
  };
}

function offsetsOf(zone: string): Map<number, number> {
  const stored = known.get(zone);
  if (stored && stored.size < MAX_KNOWN_TEXTS) return stored;
  const fresh = new Map<number, number>();
  known.set(zone, fresh);
  return fresh;
}
