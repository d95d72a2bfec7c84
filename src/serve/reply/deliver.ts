import { DELAY_STEP_SECONDS } from '../../contract/access.ts';
import { freshFor } from '../../contract/endpoint.ts';
import { etagMatches } from '../../contract/etag.ts';
import type { CacheOutcome } from '../../source/source.ts';
import type { ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import { acceptsGzip, compress, GZIP_FROM_BYTES } from './compression.ts';
import { fail } from './fail.ts';
import { addHeader, type HeaderList } from './header-list.ts';
import type { CachedAnswer } from './response-cache.ts';
import { commonHeaders, send } from './send.ts';

/** True when the caller says that it holds this very answer. */
export function isCached({ request }: ServedRequest, etag: string | undefined): boolean {
  return etagMatches(request.headers['if-none-match'], etag);
}

/** Sends an answer: not at all when the caller has it, compressed when that is wanted and worth it. */
export function sendReply(exchange: ServedRequest, route: ServedRoute, answer: CachedAnswer): void {
  const list = answerHeaders(exchange, route, answer);
  const { body } = answer;
  if (body === undefined || isCached(exchange, answer.etag)) {
    send(exchange, 304, list, '');
  } else if (body.length >= GZIP_FROM_BYTES && acceptsGzip(exchange.request.headers['accept-encoding'])) {
    addHeader(list, 'Content-Encoding', 'gzip');
    if (answer.gzip) send(exchange, 200, list, answer.gzip);
    else void sendCompressed(exchange, answer, { list, body });
  } else {
    send(exchange, 200, list, body);
  }
}

function answerHeaders(exchange: ServedRequest, route: ServedRoute, answer: CachedAnswer): HeaderList {
  const { standing, cached } = answer;
  if (cached?.is === 'stale') exchange.stale = cached.why;
  const list = commonHeaders(exchange);
  const isForNow = standing?.isPartial || cached?.is === 'stale';
  addHeader(list, 'Cache-Control', isForNow ? 'no-store' : cacheControl(exchange, route));
  if (cached) addHeader(list, 'Cache-Status', CACHE_STATUS[cached.is]);
  if (answer.etag !== undefined) addHeader(list, 'ETag', answer.etag);
  if (standing) {
    addHeader(list, exchange.serve.names.mirror, standing.isPartial ? 'partial' : 'complete');
    if (standing.checkedAt !== undefined) addHeader(list, exchange.serve.names.mirrorChecked, standing.checkedAt);
  }
  if (answer.synthetic) addHeader(list, exchange.serve.names.synthetic, '1');
  return list;
}

/** `Cache-Status` (RFC 9211) of each outcome. */
const CACHE_STATUS: Readonly<Record<CacheOutcome['is'], string>> = {
  hit: 'macro; hit',
  miss: 'macro; fwd=miss',
  collapsed: 'macro; fwd=miss; collapsed',
  stale: 'macro; hit; detail=stale',
};

/** `Cache-Control` of a 200 or 304; see docs/interface.md#caching. */
function cacheControl({ visitor, windows }: ServedRequest, { endpoint, storable }: ServedRoute): string {
  if (!storable) return 'no-store';
  if (visitor?.class !== 'keyless') return 'private, max-age=0, must-revalidate';
  const untilStep = DELAY_STEP_SECONDS - (windows.second % DELAY_STEP_SECONDS);
  return `public, max-age=${endpoint.access.delayed ? untilStep : freshFor(endpoint, windows.second * 1000)}`;
}

/** The compressed bytes are kept beside the plain ones for the next caller. */
async function sendCompressed(
  exchange: ServedRequest,
  answer: CachedAnswer,
  { list, body }: { list: HeaderList; body: Buffer },
): Promise<void> {
  try {
    answer.gzip = await compress(body);
    send(exchange, 200, list, answer.gzip);
  } catch (error) {
    fail(exchange, error);
  }
}
