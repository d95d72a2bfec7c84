import { isServed } from '../contract/capabilities.ts';
import type { SeriesRoute, ServiceLabels } from '../contract/hooks.ts';
import { loadedEndpoints } from '../endpoints/find.ts';

/** Names that answers computed on this machine carry. */
export const LABELS: ServiceLabels = {
  service: 'macro-data',
  storage: 'mirror',
  publicBaseUrl: '',
  subscribeUrl: '',
  docsUrl: '',
};

/** The lasting routes that answers may list: for hooks, which cannot import the list that they are part of. */
export function routesNote(): readonly SeriesRoute[] {
  const lasting = loadedEndpoints().filter((one) => isServed(one) && !one.managed && !one.deprecated);
  return lasting.map(({ path, access, at }) => {
    const code = at.currency ?? at.base;
    return { path, method: 'GET', access, ...(code?.member && { currencies: code.member.set }) };
  });
}
