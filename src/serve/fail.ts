import { isOurFault, toHttpError } from './errors.ts';
import { commonHeaders, type Exchange, send } from './exchange.ts';
import { addHeader, type HeaderList } from './header-list.ts';

/** Sends an error in the service's shape. A bug of ours is told to whoever runs the server, never to the caller. */
export function fail(exchange: Exchange, error: unknown, headers: Readonly<HeaderList> = []): void {
  const { serve, request, reply } = exchange;
  if (isOurFault(error)) serve.log(`${request.id} ${request.method} failed: ${stackOf(error)}`, 'request_failed');
  if (reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  const told = toHttpError(error, request.id);
  const list = commonHeaders(exchange);
  addHeader(list, 'Cache-Control', 'no-store');
  list.push(...told.headers, ...headers);
  send(exchange, told.status, list, told.body);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
