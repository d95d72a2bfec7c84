import type { Endpoint } from '../../contract/endpoint.ts';
import type { Column } from '../../contract/mapping.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { endpointById, MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { KeyValue } from '../../mirror/api/rows.ts';
import type { SeriesKey, StoredSeries } from '../../mirror/api/series.ts';

/** Series whose name has all of these words; all series when there are none. */
export function chosenBy(words: readonly string[]): (series: SeriesKey) => boolean {
  const chosen = words.flatMap((word) => word.toLowerCase().split(/[\s/,]+/)).filter(Boolean);
  return (series) => {
    const parts = new Set(nameOfSeries(series).split(' '));
    return chosen.every((word) => parts.has(word));
  };
}

/** What a person would type for a series, whatever its endpoint. */
export function nameOfSeries(series: SeriesKey): string {
  return storedName(endpointById(series.endpoint) ?? { id: series.endpoint }, series);
}

/** The words name no held series. */
export function noneChosen(words: readonly string[]): MacroError {
  const what =
    words.length === 0 ? 'The mirror holds no series.' : `No series of the mirror is named '${words.join(' ')}'.`;
  return new MacroError('notFound', what, {
    code: 'not_held',
    hint: 'macro mirror status lists the series in the mirror.',
  });
}

/** Words that a person would type for a held series. */
export function storedName({ cli, id }: Pick<Endpoint, 'cli' | 'id'>, { scope }: SeriesKey): string {
  return [...(cli?.words ?? [id]), ...Object.values(scope)].join(' ').toLowerCase();
}

/** What people read as the name of a row: the values of its key, instants in ISO. */
export function nameOfRow({ endpoint }: StoredSeries, key: readonly KeyValue[]): string {
  const columns = MAPPINGS[endpoint]?.key ?? [];
  return key.map((part, i) => (isInstant(columns[i]) ? isoSeconds(Number(part)) : String(part))).join(' ');
}

/** Whole numbers of a key are Unix seconds or count something: the interface names all of the former after time. */
export function isInstant(column: Pick<Column, 'name' | 'type'> | undefined): boolean {
  return column?.type === 'integer' && /time/.test(column.name);
}
