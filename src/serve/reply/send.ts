import { type Body, headerLines, lengthOfBody } from '../../platform/shortcut/answer-bytes.ts';
import { addLimitHeaders, LIMIT_HEADERS } from '../access/limit-headers.ts';
import type { ServedRequest } from '../request.ts';
import { SERVICE_DESCRIPTION } from '../routes.ts';
import { addDeprecation } from './deprecation.ts';
import { addHeader, type HeaderList } from './header-list.ts';
import type { HeadText } from './response-cache.ts';
import { addWarnings } from './warnings.ts';

/** Headers that every answer has. */
export function commonHeaders(served: ServedRequest): HeaderList {
  const { serve, request, windows, account, refusal } = served;
  const list: HeaderList = [];
  addHeader(list, 'X-Request-ID', request.id);
  addHeader(list, 'Vary', 'Accept-Encoding, X-API-Key, Authorization');
  addHeader(list, serve.names.edgeCache, served.edge);
  if (account) addLimitHeaders(list, account, { windows, refusal, own: served.own });
  addLinks(list, addDeprecation(list, served));
  addWarnings(list, served);
  return list;
}

/**
 * The lines around what differs from one answer to the next, of complete headers that began as `commonHeaders` makes them. Each
 * is a text of its own, not one of many pieces.
 */
export function headTextOf(list: HeaderList, { account }: ServedRequest): HeadText {
  const textOf = (from: number, to?: number) =>
    Buffer.from(headerLines(list.slice(2 * from, to && 2 * to)), 'latin1').toString('latin1');
  return { before: textOf(1, 3), after: textOf(account ? 3 + LIMIT_HEADERS : 3) };
}

/** Where every answer leads, and where this one leads besides. */
function addLinks(list: HeaderList, more: string | undefined): void {
  addHeader(list, 'Link', more === undefined ? SERVICE_DESCRIPTION : `${SERVICE_DESCRIPTION}, ${more}`);
}

/** Sends an answer, which is JSON unless the headers say otherwise. A 204 and a 304 have neither type nor length. */
export function send({ outlet }: ServedRequest, status: number, list: HeaderList, body: Body): void {
  const isBare = status === 204 || status === 304;
  if (!isBare && !list.includes('Content-Type')) addHeader(list, 'Content-Type', 'application/json');
  if (!isBare) addHeader(list, 'Content-Length', lengthOfBody(body));
  outlet.send(status, list, isBare ? '' : body);
}
