import { MacroError } from '../../errors.ts';
import type { ServedRequest } from '../request.ts';
import { isOurFault, toHttpError } from './errors.ts';
import { addHeader, type HeaderList } from './header-list.ts';
import { commonHeaders, send } from './send.ts';

/** Sends an error. A bug goes to the operator's log, never to the caller; for a damaged mirror the repair is named. */
export function fail(served: ServedRequest, error: unknown, headers: Readonly<HeaderList> = []): void {
  if (error instanceof MacroError) {
    tell(served, error, headers);
    return;
  }
  const known = served.serve.explain(error).catch((other) => (other instanceof MacroError ? other : error));
  void known.then((found) => tell(served, found, headers));
}

function tell(served: ServedRequest, error: unknown, headers: Readonly<HeaderList>): void {
  const { request, reply } = served;
  if (reply.raw.headersSent) {
    abandon(served, error);
    return;
  }
  report(served, error);
  const answer = toHttpError(error, request.id);
  const list = commonHeaders(served);
  addHeader(list, 'Cache-Control', 'no-store');
  list.push(...answer.headers, ...headers);
  send(served, answer.status, list, answer.body);
}

/** Ends the connection of an answer that may be half sent. */
function abandon(served: ServedRequest, error: unknown): void {
  report(served, error);
  served.reply.raw.destroy();
}

function report({ serve, request }: ServedRequest, error: unknown): void {
  if (isOurFault(error)) serve.log(`${request.id} ${request.method} failed: ${causeOf(error)}`, 'request_failed');
}

/** The stack of a bug, else only the sentences. */
function causeOf(error: unknown): string {
  if (error instanceof MacroError && error.kind !== 'internal')
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
