import type { Endpoint } from '../../contract/endpoint.ts';
import type { SeriesKey } from '../../mirror/api/series.ts';

/** Words that a person would type for a held series. */
export function storedName({ cli, id }: Pick<Endpoint, 'cli' | 'id'>, { scope }: SeriesKey): string {
  return [...(cli?.words ?? [id]), ...Object.values(scope)].join(' ').toLowerCase();
}
