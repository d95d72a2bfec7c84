import type { SeriesRoute } from '../../contract/hooks.ts';
import { ENDPOINTS } from '../../endpoints/index.ts';

/** What answers may tell of the routes that exist and last: for hooks, which cannot import the list that they are part of. */
export function routesNote(): readonly SeriesRoute[] {
  return ENDPOINTS.filter(({ deprecated }) => !deprecated).map(({ path, access, at }) => {
    const code = at.currency ?? at.base;
    return { path, method: 'GET', access, ...(code?.member && { currencies: code.member.set }) };
  });
}
