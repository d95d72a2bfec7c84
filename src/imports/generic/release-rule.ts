/** The rule by which a person says when a value that is never revised became public. */
import { zonedInstants } from '../../contract/time/moments.ts';
import { addDays, dateToMs } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { lastShown } from '../read/wall-clock.ts';

/** Periods of a calendar that a value can be of. */
const RULE = /^(day|week|month|quarter|year)(?: end)?(?: \+(\d{1,3})d)? (\d{2}):(\d{2}) (\S+)$/;
const DAY = 86_400_000;

export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const MONTHS_OF: Readonly<Record<Exclude<Period, 'day' | 'week'>, number>> = { month: 1, quarter: 3, year: 12 };

/** Gives Unix seconds by a rule like `month end +12d 08:30 America/New_York`. @throws MacroError of kind `usage`. */
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

/** The last day of the period that a date lies in. A week ends with its Sunday. */
export function periodEnd(date: string, period: Period): string {
  if (period === 'day') return date;
  if (period === 'week') return addDays(date, (7 - new Date(`${date}T00:00:00Z`).getUTCDay()) % 7);
  const months = MONTHS_OF[period];
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  const next = new Date(Date.UTC(year, Math.ceil(month / months) * months, 1)).toISOString().slice(0, 10);
  return addDays(next, -1);
}

/** The first day of the period that a date lies in. A week begins with its Monday. */
export function periodStart(date: string, period: Period): string {
  if (period === 'day') return date;
  if (period === 'week') return addDays(periodEnd(date, period), -6);
  const months = MONTHS_OF[period];
  const month = Math.floor((Number(date.slice(5, 7)) - 1) / months) * months + 1;
  return `${date.slice(0, 5)}${String(month).padStart(2, '0')}-01`;
}
