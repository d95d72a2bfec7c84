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

/** Index of the first item from which on a condition holds of all; their count when it never does. */
function firstWhere<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Within the list there is an item, whatever its type says.
    if (holds(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
