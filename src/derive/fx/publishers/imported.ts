import type { LoadedSeries, StoredRef } from '../../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/json.ts';
import { zonedInstants } from '../../../contract/time/instants.ts';
import { dateToMs } from '../../../contract/time/time.ts';
import { fxPublisherOf, publicationLag } from '../../../contract/words/fx-publishers.ts';
import { isImportedSeries } from '../pairs/legs.ts';
import type { PublishedRate } from './published-rate.ts';

const DAY = 86_400_000;

/** True for a series of a bulk file whose rates have a known usual time of publication. */
export function isTimedFile({ origin }: StoredRef): boolean {
  return fxPublisherOf(origin) !== undefined;
}

/** The `source` member of rows that come from a bulk file. */
export function fileSource({ ref }: LoadedSeries) {
  const { id, name } = fxPublisherOf(ref.origin) ?? { id: ref.origin, name: ref.origin };
  return { id, name, is_official: true };
}

/** What an imported file tells of its publisher: the pairs that it holds, as an entry in the list of sources. */
export function importedSources(loaded: readonly LoadedSeries[]): readonly JsonObject[] {
  // The rows of a file that was taken back are gone, and its publisher with them.
  const filled = loaded.filter((series) => isImportedSeries(series) && series.rows.length > 0);
  const files = Map.groupBy(filled, ({ ref }) => ref.origin);
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
  const source = fxPublisherOf(series.ref.origin);
  if (!source) return [];
  const published = zonedInstants(source.zone, source.hour);
  const dates = new Set(known.flatMap(({ sourceId, date }) => (sourceId === source.id ? [date] : [])));
  const observations: PublishedRate[] = [];
  for (let place = series.rows.length - 1; place >= 0; place -= 1) {
    const row = series.rows[place];
    const { date, val } = row?.columns ?? {};
    if (!row || typeof date !== 'string' || typeof val !== 'number' || dates.has(date)) continue;
    const day = dateToMs(date);
    const at = published(day + publicationLag(source, day) * DAY);
    observations.push({ date, val, at, type: 'published', sourceId: source.id, assumed: true, text: row.text, series });
  }
  return observations;
}
