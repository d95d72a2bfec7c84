// The event stream for pages: that of `/v1/stream`, which spends nobody's quota here.
import streamEvents from '../../endpoints/events/stream.ts';
import { MacroError } from '../../errors.ts';
import type { ServedRequest } from '../request.ts';
import { openStream } from '../stream/open.ts';
import { readerOf } from './page-access.ts';
import type { PageContext } from './page-context.ts';

/** Streams of pages at a time, of all readers together. */
const MAX_PAGE_STREAMS = 50;
const RETRY_SECONDS = 30;

/**
 * Opens the stream with the access of the reader, outside of the budgets.
 * @throws MacroError of kind `busy`.
 */
export function streamToPage(served: ServedRequest, { parts, routes, open }: PageContext): void {
  const reader = readerOf(served, parts.options);
  const route = routes.find(({ endpoint }) => endpoint.id === streamEvents.id);
  if (!route || open.streams >= MAX_PAGE_STREAMS)
    throw new MacroError('busy', 'Too many pages read events at present.', {
      status: 429,
      code: 'too_many_pages',
      retryAfter: RETRY_SECONDS,
    });
  const { serve, request, reply } = served;
  open.streams += 1;
  reply.raw.once('close', () => {
    open.streams -= 1;
  });
  const { caller, name = 'owner' } = reader;
  const context = { caller, name, class: caller.kind === 'keyed' ? caller.plan : caller.kind };
  openStream({ ...serve, limits: undefined, identify: () => context }, route, request, reply);
}
