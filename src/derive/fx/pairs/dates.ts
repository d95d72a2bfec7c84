import { firstWhere } from '../../first-where.ts';

/** A stretch of a list of dates ordered newest first. */
export interface DayRange {
  readonly start: number;
  readonly end: number;
}

/** Where the dates inside both bounds stand. */
export function dayRangeWithin(dates: readonly string[], from: string, to: string): DayRange {
  const start = firstWhere(dates, (date) => date <= to);
  return {
    start,
    end: Math.max(
      start,
      firstWhere(dates, (date) => date < from),
    ),
  };
}

/** Dates inside both bounds. */
export function datesWithin(dates: readonly string[], from: string, to: string): readonly string[] {
  const { start, end } = dayRangeWithin(dates, from, to);
  return dates.slice(start, end);
}
