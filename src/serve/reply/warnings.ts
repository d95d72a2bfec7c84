import type { Endpoint } from '../../contract/endpoint.ts';
import { ignoredNames } from '../../contract/params/read-params.ts';
import { queryTextOf } from '../arguments.ts';
import type { ServedRequest } from '../request.ts';
import { addHeader, type HeaderList } from './header-list.ts';

/** Names and sentences that one header lists at most, and the longest of them. */
const MAX_LISTED_WARNINGS = 20;
const MAX_WARNING_CHARACTERS = 200;

/**
 * Says that an answer could not be confirmed, and what of a question had no effect: parameters that its route does not know, filter words that no table knows. A
 * developer who trusts `as_of` where it is ignored would take tomorrow's knowledge for yesterday's. See
 * docs/interface.md#ignored-parameters.
 */
export function addWarnings(list: HeaderList, served: ServedRequest): void {
  const names = ignoredIn(served);
  if (names.length === 0 && served.stale === undefined && served.oddities === undefined) return;
  const texts = [
    ...(names.length > 0
      ? [`Ignored parameters: ${names.slice(0, MAX_LISTED_WARNINGS).map(printable).join(', ')}`]
      : []),
    ...(served.oddities ?? []).slice(0, MAX_LISTED_WARNINGS),
  ];
  const warnings = [
    ...(served.stale === undefined ? [] : [`110 - "${printable(`Response is stale. ${served.stale}`)}"`]),
    ...texts.map((text) => `299 - "${printable(text)}"`),
  ];
  if (warnings.length > 0) addHeader(list, 'Warning', warnings.join(', '));
}

function ignoredIn({ endpoint, request, url }: ServedRequest): readonly string[] {
  if (!endpoint || !url.includes('?')) return [];
  // The arguments of a posted question stand in its body.
  const known = request.method === 'POST' ? NO_QUERY : endpoint;
  return isPlainlyKnown(known, url) ? [] : ignoredNames(known, queryTextOf(url));
}

const NO_QUERY: Pick<Endpoint, 'query'> = { query: {} };

/** True where each name of an address stands in the contract as it is spelled: most addresses take no more reading. */
function isPlainlyKnown({ query }: Pick<Endpoint, 'query'>, url: string): boolean {
  for (let at = url.indexOf('?'); at >= 0; at = url.indexOf('&', at + 1)) {
    const end = url.indexOf('=', at);
    if (end < 0 || !Object.hasOwn(query, url.slice(at + 1, end))) return false;
  }
  return true;
}

/** What stands in an address may be anything; what goes into a header may not. */
function printable(text: string): string {
  return text.slice(0, MAX_WARNING_CHARACTERS).replace(/[^\x20-\x7e]|["\\]/g, '?');
}
