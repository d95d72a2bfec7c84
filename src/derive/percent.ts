import { daysBetween, lastDayOf } from '../contract/time/time.ts';
import { roundHalfEven } from './round.ts';

/**
 * Change in per cent, two decimals, half-even. Undefined where the service leaves it out: without both values, or over a
 * previous of 0. Over a negative previous its absolute value divides, so that the sign tells the direction.
 */
export function percentChange(value: number | null | undefined, before: number | null | undefined): number | undefined {
  if (typeof value !== 'number' || typeof before !== 'number' || before === 0) return undefined;
  const change = ((value - before) / Math.abs(before)) * 100;
  return Number.isFinite(change) ? roundHalfEven(change, 2) : undefined;
}

/**
 * The same day some months earlier; the last day of a shorter month where there is no such day. `monthEnds` keeps a last
 * day a last day: in a monthly series February's row stands for the whole month, in a leap year too.
 */
export function monthsBefore(date: string, months: number, monthEnds: boolean): string {
  // Each row of a history is compared with two dates: none of them is worth a Date.
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const before = year * 12 + month - 1 - months;
  const [inYear, inMonth] = [Math.floor(before / 12), (((before % 12) + 12) % 12) + 1];
  const last = lastDayOf(inYear, inMonth);
  const isEnd = monthEnds && day === lastDayOf(year, month);
  const target = isEnd ? last : Math.min(day, last);
  return `${String(inYear).padStart(4, '0')}-${String(inMonth).padStart(2, '0')}-${String(target).padStart(2, '0')}`;
}

/** The newest of rows (newest first) on or before a date, unless it lies more than `tolerance` days before it. */
export function newestUpTo<T extends { readonly date: string }>(
  rows: readonly T[],
  date: string,
  tolerance = Number.POSITIVE_INFINITY,
): T | undefined {
  const found = rows.find((row) => row.date <= date);
  return found && daysBetween(found.date, date) <= tolerance ? found : undefined;
}
