/** The rule by which a person says when a value that is never revised became public. */
import { zonedInstants } from '../../contract/time/instants.ts';
import { dateToMs } from '../../contract/time/time.ts';
import { zoneOffset } from '../../contract/time/zone.ts';
import { MacroError } from '../../errors.ts';
import { PERIODS, type Period, periodEnd } from './periods.ts';

const RULE = /^(day|week|month|quarter|year)(?: end)?(?: \+(\d{1,3})d)? (\d{2}):(\d{2}) (\S+)$/;
const DAY = 86_400_000;

/**
 * Gives Unix seconds for the date of a value. `month end +12d 08:30 America/New_York` is such a rule.
 * @throws MacroError of kind `usage`.
 */
export function readReleaseRule(text: string): (date: string) => number {
  const [, word, days = '0', hours = '', minutes = '', zone = ''] = RULE.exec(text) ?? [];
  const period = PERIODS.find((one) => one === word);
  if (!period || Number(hours) > 23 || Number(minutes) > 59 || !isZone(zone)) throw noRule(text);
  return instantsOf(period, Number(days), { zone, hour: Number(hours) + Number(minutes) / 60 });
}

function instantsOf(period: Period, days: number, { zone, hour }: { readonly zone: string; readonly hour: number }) {
  const instant = zonedInstants(zone, hour);
  const known = new Map<number, number>();
  return (date: string) => {
    const day = dateToMs(periodEnd(date, period)) + days * DAY;
    const stored = known.get(day);
    if (stored !== undefined) return stored;
    const at = lastShown(zone, instant(day));
    known.set(day, at);
    return at;
  };
}

/** A clock that goes back shows a time twice: a value is known from the later one, never earlier than it was published. */
function lastShown(zone: string, at: number): number {
  const back = zoneOffset(zone, at * 1000) - zoneOffset(zone, at * 1000 + HALF_DAY);
  const again = at * 1000 + back;
  return back > 0 && zoneOffset(zone, again) < zoneOffset(zone, at * 1000) ? again / 1000 : at;
}

const HALF_DAY = DAY / 2;

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

function noRule(text: string): MacroError {
  return new MacroError('usage', `'${text}' is no rule of release.`, {
    code: 'bad_option',
    hint: `Write day, week end, month end, quarter end or year end, then +DAYSd, the time and its zone: 'month end +12d 08:30 America/New_York'.`,
  });
}
