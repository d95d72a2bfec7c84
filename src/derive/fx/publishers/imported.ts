import type { LoadedSeries, StoredRef } from '../../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/json.ts';
import { zonedInstants } from '../../../contract/time/moments.ts';
import { dateToMs } from '../../../contract/time/time.ts';
import { type FxPublisher, fxPublisherOf, publicationLag } from '../../../contract/words/fx-publishers.ts';
import { seriesColumn } from '../../memory.ts';
import { isImportedSeries } from '../pairs/legs.ts';
import type { PublishedRate } from './published-rate.ts';

const DAY = 86_400_000;

/** True for a series of a bulk file whose rates have a known usual time of publication. */
export function isTimedFile({ origin }: Pick<StoredRef, 'origin'>): boolean {
  return fxPublisherOf(origin) !== undefined;
}

/** The `source` member of rows that come from a bulk file. */
export function fileSource({ origin }: Pick<StoredRef, 'origin'>) {
  const { id, name } = fxPublisherOf(origin) ?? { id: origin, name: origin };
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
    const { id, ...named } = fileSource(first.ref);
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
  const observations = seriesColumn(series, source.id, () => observed(series, source));
  const dates = new Set(known.flatMap(({ sourceId, date }) => (sourceId === source.id ? [date] : [])));
  return dates.size === 0 ? observations : observations.filter(({ date }) => !dates.has(date));
}

function observed({ rows, ref: { origin } }: LoadedSeries, source: FxPublisher): readonly PublishedRate[] {
  const published = zonedInstants(source.zone, source.hour);
  const observations: PublishedRate[] = [];
  for (let place = rows.length - 1; place >= 0; place -= 1) {
    const row = rows[place];
    const { date, val } = row?.columns ?? {};
    if (!row || typeof date !== 'string' || typeof val !== 'number') continue;
    const day = dateToMs(date);
    const at = published(day + publicationLag(source, day) * DAY);
    observations.push({ date, val, at, type: 'published', sourceId: source.id, assumed: true, text: row.text, origin });
  }
  return observations;
}
