import { addLimitHeaders } from '../access/limit-headers.ts';
import type { ServedRequest } from '../request.ts';
import { SERVICE_DESCRIPTION } from '../routes.ts';
import { type Body, lengthOfBody } from './body.ts';
import { addDeprecation } from './deprecation.ts';
import { addHeader, type HeaderList } from './header-list.ts';
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

/** Where every answer leads, and where this one leads besides. */
function addLinks(list: HeaderList, more: string | undefined): void {
  addHeader(list, 'Link', more === undefined ? SERVICE_DESCRIPTION : `${SERVICE_DESCRIPTION}, ${more}`);
}

/** Sends an answer, which is JSON unless the headers say otherwise. A 204 and a 304 have neither type nor length, a HEAD no body. */
export function send({ request, reply }: ServedRequest, status: number, list: HeaderList, body: Body): void {
  const isBare = status === 204 || status === 304;
  const length = isBare ? 0 : lengthOfBody(body);
  if (!isBare && !list.includes('Content-Type')) addHeader(list, 'Content-Type', 'application/json');
  if (!isBare) addHeader(list, 'Content-Length', length);
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(status, list);
  if (request.method === 'HEAD' || length === 0) raw.end();
  else if (typeof body === 'string' || body instanceof Uint8Array) raw.end(body);
  else {
    // The head waits for the last piece: all of them are one write.
    for (const piece of body) raw.write(piece);
    raw.end();
  }
}
