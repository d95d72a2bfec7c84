import type { LoadedSeries, StoredRef } from '../../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/json.ts';
import { dateToMs } from '../../../contract/time/time.ts';
import { isImportedSeries } from '../pairs/legs.ts';
import { zonedInstants } from './instants.ts';
import type { PublishedRate } from './published-rate.ts';

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
export function isTimedFile({ origin }: StoredRef): boolean {
  return FILE_SOURCES[origin] !== undefined;
}

/** The `source` member of rows that come from a bulk file. */
export function fileSource({ ref }: LoadedSeries) {
  const { id, name } = FILE_SOURCES[ref.origin] ?? { id: ref.origin, name: ref.origin };
  return { id, name, is_official: true };
}

/** What an imported file tells of its publisher: the pairs that it holds, as an entry in the list of sources. */
export function importedSources(loaded: readonly LoadedSeries[]): readonly JsonObject[] {
  const files = Map.groupBy(loaded.filter(isImportedSeries), ({ ref }) => ref.origin);
  return [...files.values()].flatMap((series) => {
    const [first] = series;
    if (!first) return [];
    const { provenance, source } = first.envelope;
    const { id, ...named } = fileSource(first);
    const native = series.map(({ ref }) => `${ref.scope.base}/${ref.scope.quote}`).sort();
    const url = isJsonObject(provenance) ? provenance.publisher_url : undefined;
    return [
      {
        id,
        ...named,
        ...(typeof url === 'string' && { url }),
        ...(typeof source === 'string' && { attribution_text: source }),
        is_aggregator: false,
        native_pairs: native,
        publication_frequency: 'daily',
        native_pair_count: native.length,
        source_universe_endpoint: `/v1/fx/source-universe?source=${encodeURIComponent(id)}`,
      },
    ];
  });
}

/**
 * Each date of an imported daily series as one observation at the publisher's usual time, oldest first; but for dates of
 * which another observation of the same publisher is known.
 */
export function importedObservations(series: LoadedSeries, known: readonly PublishedRate[]): readonly PublishedRate[] {
  const source = FILE_SOURCES[series.ref.origin];
  if (!source) return [];
  const published = zonedInstants(source.zone, source.hour);
  const dates = new Set(known.flatMap(({ sourceId, date }) => (sourceId === source.id ? [date] : [])));
  const observations: PublishedRate[] = [];
  for (let place = series.rows.length - 1; place >= 0; place -= 1) {
    const row = series.rows[place];
    const { date, val } = row?.columns ?? {};
    if (!row || typeof date !== 'string' || typeof val !== 'number' || dates.has(date)) continue;
    const at = published(dateToMs(date));
    observations.push({ date, val, at, type: 'published', sourceId: source.id, assumed: true, row, series });
  }
  return observations;
}
