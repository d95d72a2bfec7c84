import { addLimitHeaders } from '../access/limit-headers.ts';
import type { ServedRequest } from '../request.ts';
import { SERVICE_DESCRIPTION } from '../routes.ts';
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

/**
 * Sends an answer, which is JSON unless the headers say otherwise. A HEAD gets the headers of the GET; a 204 and a 304 have
 * neither type nor length.
 */
export function send(served: ServedRequest, status: number, list: HeaderList, body: Body): void {
  const { reply, request } = served;
  const isBare = status === 204 || status === 304;
  const length = lengthOf(body);
  if (!isBare) {
    if (!list.includes('Content-Type')) addHeader(list, 'Content-Type', 'application/json');
    addHeader(list, 'Content-Length', length);
  }
  reply.hijack();
  reply.raw.writeHead(status, list);
  if (isBare || request.method === 'HEAD') reply.raw.end();
  else if (typeof body === 'string' || body instanceof Uint8Array) reply.raw.end(body);
  else {
    // The head waits for the last piece: all of them are one write.
    for (const piece of body) reply.raw.write(piece);
    reply.raw.end();
  }
}

/** A body, whole or in pieces. */
type Body = Uint8Array | string | readonly (Uint8Array | string)[];

function lengthOf(body: Body): number {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.byteLength(body);
  return body.reduce((length, piece) => length + Buffer.byteLength(piece), 0);
}
