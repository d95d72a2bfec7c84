import { DEPRECATED_SINCE, successorFor } from '../../contract/endpoint.ts';
import { queryTextOf } from '../arguments.ts';
import type { ServedRequest } from '../request.ts';
import { addHeader, type HeaderList } from './header-list.ts';

/**
 * Says that a way of asking is deprecated: a route that has a successor, or a key in the query, whose successor is the
 * same address without it. The successor of a route needs no key in its query either. Gives the links
 * that say where to go. See
 * docs/interface.md#deprecation.
 */
export function addDeprecation(list: HeaderList, served: ServedRequest): string | undefined {
  const { serve, endpoint, queryKey } = served;
  const deprecated = endpoint?.deprecated;
  if (!deprecated && queryKey === undefined) return undefined;
  const { publicBaseUrl, docsUrl, deprecationsUrl = `${docsUrl}/deprecations` } = serve.labels;
  const successor = `${publicBaseUrl}${deprecated ? successorOf(served) : withoutKey(served)}`;
  addHeader(list, 'Deprecation', `@${deprecated?.since ?? DEPRECATED_SINCE}`);
  if (deprecated?.sunset !== undefined) addHeader(list, 'Sunset', new Date(deprecated.sunset * 1000).toUTCString());
  return `<${successor}>; rel="successor-version", <${deprecationsUrl}>; rel="deprecation"`;
}

function successorOf({ endpoint, request, url }: ServedRequest): string {
  if (!endpoint?.deprecated) return '';
  // Fastify types the decoded path arguments as unknown; the router makes nothing but strings of them.
  const words = request.params as Record<string, string>;
  const { doc, deprecated } = endpoint;
  return successorFor(deprecated, { ...queryTextOf(url), ...words }, { ...doc.exampleQuery, ...doc.example });
}

function withoutKey({ url }: ServedRequest): string {
  const [path = '/', ...query] = url.split('?');
  const rest = new URLSearchParams(query.join('?'));
  rest.delete('api_key');
  const plainPath = path.replace(/[^\x21-\x7e]|[<>"]/g, encodeURIComponent);
  return `${plainPath}${rest.size > 0 ? `?${rest}` : ''}`;
}
