import type { KeptValue, LoadedSeries } from '../../contract/hooks.ts';
import type { JsonObject } from '../../contract/json.ts';
import { seriesMembers } from '../announcements/identity.ts';
import { parseRow, readPrint, releaseOf } from '../announcements/print.ts';
import { keptVintages, vintagesOf } from '../announcements/vintages.ts';
import type { Period } from './timeline.ts';

export interface PeriodWindow {
  readonly start_date: string;
  readonly end_date: string;
}

/** The reference periods of a history inside a window, with every value that the rows list or the mirror remembers. */
export function periodsOf({ ref, envelope, rows, kept }: LoadedSeries, window: PeriodWindow): readonly Period[] {
  const { currency = '', indicator = '' } = ref.scope;
  const seriesId = seriesMembers({ currency, indicator }, envelope).selected_series_id;
  const isInside = (date: string) => date >= window.start_date && date <= window.end_date;
  const observationId = (row: JsonObject, date: string) =>
    typeof row.observation_id === 'string' ? row.observation_id : `${seriesId}_${date}`;
  const listed = rows.flatMap(({ columns, text }): readonly Period[] => {
    const date = String(columns.date);
    if (!isInside(date)) return [];
    const print = { ...readPrint(text), kept: kept?.get(date) };
    const { row, release } = print;
    return [{ date, release, vintages: vintagesOf(print), observationId: observationId(row, date) }];
  });
  const dates = new Set(listed.map(({ date }) => date));
  const vanished = [...(kept ?? [])].flatMap(([date, values]): readonly Period[] => {
    if (!isInside(date) || dates.has(date)) return [];
    const row = newestRow(values);
    return [{ date, release: releaseOf(row), vintages: keptVintages(values), observationId: observationId(row, date) }];
  });
  return [...listed, ...vanished];
}

/** The last whole row among values of a period; entries of its list have no date. */
function newestRow(values: readonly KeptValue[]): JsonObject {
  return values.map(({ text }) => parseRow(text)).findLast((row) => row.date !== undefined) ?? {};
}
