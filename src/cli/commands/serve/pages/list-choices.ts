// The series of a mirror that a question can name.
import type { Endpoint } from '../../../../contract/endpoint.ts';
import { ENDPOINTS } from '../../../../endpoints/index.ts';
import type { Mirror, StoredSeries } from '../../../../mirror/api/mirror.ts';
import type { ListedSeries } from '../../../../serve/pages/page-data.ts';
import { storedName } from '../../../messages/held-name.ts';
import { canBePast } from '../../endpoint-faces.ts';

/** All of them, in the order of the contract. Of several origins of a series there is one entry. */
export async function listChoices(mirror: Mirror): Promise<readonly ListedSeries[]> {
  const found = new Map<string, ListedSeries>();
  for (const endpoint of ENDPOINTS) {
    if (!endpoint.mirror || !endpoint.cli || endpoint.writeOnly) continue;
    for (const series of await mirror.find({ endpoint: endpoint.id, scope: {} })) {
      const listed = listedOf(endpoint, series);
      if (listed && !found.has(listed.path)) found.set(listed.path, listed);
    }
  }
  return [...found.values()];
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
    hasPast: canBePast(endpoint) && endpoint.query.as_of === undefined,
  };
}
