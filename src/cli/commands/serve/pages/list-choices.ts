// The series of a mirror that a question can name.
import type { Endpoint } from '../../../../contract/endpoint.ts';
import { dateOf } from '../../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../../endpoints/index.ts';
import type { Mirror, MirrorReader } from '../../../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../../../mirror/api/series.ts';
import type { ListedSeries } from '../../../../serve/pages/page-data.ts';
import { storedName } from '../../../print/series.ts';
import { canBePast } from '../../endpoint-faces.ts';

/** All of them, in the order of the contract. Of several origins of a series there is one entry. */
export async function listChoices(mirror: Mirror): Promise<readonly ListedSeries[]> {
  return mirror.snapshot(async (reader) => {
    const found = new Map<string, ListedSeries>();
    for (const endpoint of ENDPOINTS) {
      if (!endpoint.mirror || !endpoint.cli || endpoint.writeOnly) continue;
      for (const series of await reader.find({ endpoint: endpoint.id, scope: {} })) {
        const listed = listedOf(endpoint, series);
        if (!listed) continue;
        const since = earlier(found.get(listed.path)?.since, await oldestDate(reader, endpoint, series));
        found.set(listed.path, { ...listed, ...(since !== undefined && { since }) });
      }
    }
    return [...found.values()];
  });
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one;
}

/** Undefined where rows have no date, or there are none. */
async function oldestDate(
  reader: MirrorReader,
  { mirror }: Endpoint,
  series: StoredSeries,
): Promise<string | undefined> {
  if (mirror?.window === undefined) return undefined;
  const [row] = await reader.rows(series, {}, { limit: 1, offset: 0, reverse: mirror.order === 'newest' });
  const key = row?.key[0];
  if (typeof key === 'number') return dateOf(key * 1000);
  return key !== undefined && /^\d{4}-\d{2}-\d{2}/.test(key) ? key.slice(0, 10) : undefined;
}

function listedOf(endpoint: Endpoint, series: StoredSeries): ListedSeries | undefined {
  const { scope } = series;
  if (!Object.keys(endpoint.at).every((name) => scope[name] !== undefined)) return undefined;
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(scope[name] ?? ''));
  const more = Object.entries(scope).filter(([name]) => !(name in endpoint.at) && name in endpoint.query);
  const query = more.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(more))}`;
  return {
    name: storedName(endpoint, series),
    group: endpoint.group,
    path: `${path}${query}`,
    hasWindow: 'start_date' in endpoint.query && 'end_date' in endpoint.query,
    hasPast: canBePast(endpoint),
  };
}
