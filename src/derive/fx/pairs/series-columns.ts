import type { LoadedRow, LoadedSeries } from '../../../contract/hooks.ts';
import { perObject } from '../../per-object.ts';
import { dayRangeWithin } from './dates.ts';

/** Dates of a loaded series, newest first. */
export function datesOf(series: LoadedSeries): readonly string[] {
  const { columns, rows } = series;
  // The key column of this endpoint is a text.
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

/** Where the first of the loaded rows stands in the columns. */
const firstPlaceOf = perObject((series: LoadedSeries) => {
  const newest = String(series.rows[0]?.columns.date);
  return { place: dayRangeWithin(datesOf(series), newest, newest).start };
});

/** The row of a place in the columns; only those that are shown are loaded. */
export function rowAt(series: LoadedSeries, place: number): LoadedRow {
  const { rows, columns } = series;
  const row = rows[columns ? place - firstPlaceOf(series).place : place];
  if (!row) throw new Error(`Row ${place} of ${series.ref.origin} is none of those that the answer shows`);
  return row;
}
