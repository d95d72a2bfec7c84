// Rows of a loaded series by their place, be they loaded as rows or as columns.
import type { LoadedColumns, LoadedSeries, PlaceRange } from '../contract/hooks.ts';
import type { JsonText } from '../contract/json/json.ts';
import { firstPlace } from '../contract/time/coverage.ts';

/** A value made from a series alone, cached by a name that states all other inputs, such as its coverage. */
export function madeOf<T extends object>(series: { column?: LoadedSeries['column'] }, name: string, make: () => T): T {
  return series.column ? series.column(name, make) : make();
}

/** Where the rows stand that were asked for. */
export function placesOf({ range, rows }: LoadedSeries): PlaceRange {
  return range ?? { start: 0, end: rows.length };
}

/** The values of a column; an empty list if no row has one. */
export function valuesOf(series: LoadedSeries, name: string): NonNullable<LoadedColumns[string]> {
  return series.columns ? (series.columns[name] ?? []) : series.rows.map(({ columns }) => columns[name] ?? null);
}

export function datesOf(series: LoadedSeries): readonly string[] {
  const { columns, rows } = series;
  // The key column of a dated endpoint is a text.
  return columns ? ((columns.date ?? []) as readonly string[]) : rows.map((row) => String(row.columns.date));
}

/** A column as numbers, NaN where a row has none; undefined when no row has one. */
export function numbersOf(series: LoadedSeries, name: string): Float64Array | undefined {
  const values = series.columns ? series.columns[name] : series.rows.map(({ columns }) => columns[name] ?? null);
  if (values === undefined) return undefined;
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < numbers.length; i += 1) {
    const value = values[i];
    numbers[i] = typeof value === 'number' ? value : Number.NaN;
  }
  return numbers;
}

/** The text of a row by its place; if columns are loaded, only shown rows have a text. */
export function textAt(series: LoadedSeries, place: number): JsonText {
  return textsOf(series)(place);
}

/** The same for whoever outlives the question. */
export function textsOf({ columns, shown, rows, ref: { origin } }: LoadedSeries): (place: number) => JsonText {
  if (shown && 'at' in shown) return shown.at;
  // The key column of a dated endpoint is a text.
  const dates = (columns?.date ?? []) as readonly string[];
  const first = shown ? dayRangeWithin(dates, shown.to, shown.to).start : 0;
  return (place) => {
    const text = shown ? shown.texts[place - first] : rows[place]?.text;
    if (text === undefined) throw new Error(`Row ${place} of ${origin} is not in the answer`);
    return text;
  };
}

/** Where the dates inside both bounds stand, newest first. */
export function dayRangeWithin(dates: readonly string[], from: string, to: string): PlaceRange {
  const start = firstPlace(dates.length, (place) => (dates[place] ?? '') <= to);
  return { start, end: firstPlace(dates.length, (place) => (dates[place] ?? '') < from, start) };
}

/** Dates inside both bounds. */
export function datesWithin(dates: readonly string[], from: string, to: string): readonly string[] {
  const { start, end } = dayRangeWithin(dates, from, to);
  return dates.slice(start, end);
}

/** Dates of several lists as one, newest first: which list each is of, and its place there. */
export interface MergedDates {
  readonly dates: readonly string[];
  /** NaN where a date has no rate. */
  readonly vals: Float64Array;
  readonly lists: Uint8Array;
  readonly places: Int32Array;
}

/**
 * Joins lists of dates, newest first. `rateOf` is asked about each list that has a date, in their order, until one gives
 * a rate. Undefined leaves the date to the others.
 */
export function mergeDates(
  columns: readonly (readonly string[])[],
  rateOf: (date: string, list: number, place: number) => number | undefined,
): MergedDates {
  const most = columns.reduce((sum, { length }) => sum + length, 0);
  const dates: string[] = [];
  const [vals, lists, places] = [new Float64Array(most), new Uint8Array(most), new Int32Array(most)];
  const next = new Int32Array(columns.length);
  for (;;) {
    let date = '';
    for (let i = 0; i < columns.length; i += 1) {
      const candidate = columns[i]?.[next[i] ?? 0];
      if (candidate !== undefined && candidate > date) date = candidate;
    }
    const count = dates.length;
    if (date === '')
      return { dates, vals: vals.slice(0, count), lists: lists.slice(0, count), places: places.slice(0, count) };
    let val: number | undefined;
    for (let i = 0; i < columns.length; i += 1) {
      const place = next[i] ?? 0;
      if (columns[i]?.[place] !== date) continue;
      next[i] = place + 1;
      if (val !== undefined && !Number.isNaN(val)) continue;
      const found = rateOf(date, i, place);
      if (found === undefined) continue;
      val = found;
      vals[count] = found;
      lists[count] = i;
      places[count] = place;
      dates[count] = date;
    }
  }
}
