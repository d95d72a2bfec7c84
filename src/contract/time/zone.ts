/** Wall clocks of IANA zones, from the time zone data of the runtime. Times are milliseconds since the epoch. */

const DAY = 86_400_000;

/** Making a formatter is slow, and a timetable asks for the same four zones again and again. */
const formatters = new Map<string, Intl.DateTimeFormat>();

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

/**
 * The instant at which the wall clock of a zone shows `wall` (a wall time written as if it were UTC). A time that comes
 * twice, when clocks go back, means the first one; a time that is skipped, when they go forward, is read with the offset
 * from before, so that it lands as long after the change as it is past the gap.
 */
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
