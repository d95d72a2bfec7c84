import type { HeldRef, LoadedSeries } from '../../contract/hooks.ts';
import { dateToMs } from '../../contract/time.ts';
import { zonedInstants } from './instants.ts';
import type { Observation } from './observations.ts';

/** What is known of a publisher whose bulk file states dates and no times. */
interface FileSource {
  readonly id: string;
  readonly name: string;
  readonly zone: string;
  /** Hour of the local clock at which the rates of a day are published. */
  readonly hour: number;
}

/**
 * The ECB takes its rates shortly after 14:00 in Frankfurt and publishes them around 16:00. The file states neither, so
 * its observations are `published` at the later of the two, which nobody can have known before, and are marked as assumed.
 */
const FILE_SOURCES: Readonly<Record<string, FileSource>> = {
  'import:ECB': { id: 'ecb_eurofxref_daily', name: 'European Central Bank', zone: 'Europe/Berlin', hour: 16 },
};

/** True for a series of a bulk file whose rates have a known usual time of publication. */
export function isTimedFile({ origin }: HeldRef): boolean {
  return FILE_SOURCES[origin] !== undefined;
}

/** The `source` member of rows that come from a bulk file. */
export function fileSource({ ref }: LoadedSeries) {
  const { id, name } = FILE_SOURCES[ref.origin] ?? { id: ref.origin, name: ref.origin };
  return { id, name, is_official: true };
}

/**
 * Each date of an imported daily series as one observation at the publisher's usual time, oldest first; but for dates of
 * which another observation of the same publisher is known.
 */
export function importedObservations(series: LoadedSeries, known: readonly Observation[]): readonly Observation[] {
  const source = FILE_SOURCES[series.ref.origin];
  if (!source) return [];
  const published = zonedInstants(source.zone, source.hour);
  const dates = new Set(known.flatMap(({ sourceId, date }) => (sourceId === source.id ? [date] : [])));
  const observations: Observation[] = [];
  for (let place = series.rows.length - 1; place >= 0; place -= 1) {
    const row = series.rows[place];
    const { date, val } = row?.columns ?? {};
    if (!row || typeof date !== 'string' || typeof val !== 'number' || dates.has(date)) continue;
    const at = published(dateToMs(date));
    observations.push({ date, val, at, type: 'published', sourceId: source.id, assumed: true, row, series });
  }
  return observations;
}
