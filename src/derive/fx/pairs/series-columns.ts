import type { LoadedSeries } from '../../../contract/hooks.ts';
import type { JsonText } from '../../../contract/json/json.ts';
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

/** The text of a row by its place in the columns; only those that are shown are loaded. */
export function textAt(series: LoadedSeries, place: number): JsonText {
  const text = series.columns ? shownAt(series, place) : series.rows[place]?.text;
  if (text === undefined)
    throw new Error(`Row ${place} of ${series.ref.origin} is none of those that the answer shows`);
  return text;
}

/** Undefined of a row that is not shown. */
function shownAt(series: LoadedSeries, place: number): JsonText | undefined {
  const { shown } = series;
  if (!shown || 'at' in shown) return shown?.at(place);
  return shown.texts[place - dayRangeWithin(datesOf(series), shown.to, shown.to).start];
}
