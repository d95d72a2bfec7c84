/** Times of a clock on a wall, as files have them. */
import { dateToMs, wallInstant, zoneOffset } from '../../contract/time/time.ts';
import { refuse } from './cells.ts';

export interface WallTime {
  readonly date: string;
  /** `08:30` or `08:30:00`. */
  readonly clock: string;
  readonly line: number;
}

const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const CORRECT = 'Correct the time, or leave its line out.';
const HALF_DAY = 12 * 3_600_000;

/** Unix seconds of a time in a zone. @throws MacroError of kind `usage` for a time that no clock there shows. */
export function readClock({ date, clock, line }: WallTime, zone: string): number {
  const [, hours, minutes, seconds = '0'] = CLOCK.exec(clock) ?? [];
  if (hours === undefined) throw refuse(`'${clock}' is no time of a day: 00:00 to 23:59.`, { line, hint: CORRECT });
  const wall = dateToMs(date) + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const at = wallInstant(zone, wall);
  if (at + zoneOffset(zone, at) !== wall)
    throw refuse(`the clocks of ${zone} do not show ${clock} on ${date}: they go forward.`, { line, hint: CORRECT });
  return lastShown(zone, at / 1000);
}

/** A clock that goes back shows a time twice: a value is known from the later one, never earlier than it was published. */
export function lastShown(zone: string, at: number): number {
  const back = zoneOffset(zone, at * 1000) - zoneOffset(zone, at * 1000 + HALF_DAY);
  const again = at * 1000 + back;
  return back > 0 && zoneOffset(zone, again) < zoneOffset(zone, at * 1000) ? again / 1000 : at;
}
