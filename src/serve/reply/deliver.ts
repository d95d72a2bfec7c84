import type { IncomingHttpHeaders } from 'node:http';
import { DELAY_STEP_SECONDS } from '../../contract/access.ts';
import { freshFor } from '../../contract/endpoint.ts';
import { etagMatches } from '../../contract/headers.ts';
import type { CacheOutcome } from '../../source/source.ts';
import type { ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import { acceptsGzip, compress, GZIP_FROM_BYTES, joinParts, lengthOfBody } from './body.ts';
import { fail } from './fail.ts';
import { addHeader, type HeaderList } from './header-list.ts';
import type { CachedAnswer } from './response-cache.ts';
import { commonHeaders, send } from './send.ts';

/** Headers that say which form of an answer a caller takes. */
type FormHeaders = Pick<IncomingHttpHeaders, 'if-none-match' | 'accept-encoding'>;

/** True when the caller says that it holds this very answer. */
export function isCached(headers: FormHeaders, etag: string | undefined): boolean {
  return etagMatches(headers['if-none-match'], etag);
}

/** True when the caller takes a compressed answer. */
export function takesGzip(headers: FormHeaders): boolean {
  return acceptsGzip(headers['accept-encoding']);
}

/** Sends an answer: not at all when the caller has it, compressed when that is wanted and worth it. */
export function sendReply(served: ServedRequest, route: ServedRoute, answer: CachedAnswer): void {
  const { headers } = served.request;
  const list = answerHeaders(served, route, answer);
  const whole = answer.body ?? answer.parts;
  if (whole === undefined || isCached(headers, answer.etag)) send(served, 304, list, '');
  else if (!takesGzip(headers) || lengthOfBody(whole) < GZIP_FROM_BYTES) send(served, 200, list, whole);
  else {
    addHeader(list, 'Content-Encoding', 'gzip');
    if (answer.gzip) send(served, 200, list, answer.gzip);
    else void sendCompressed(served, answer, list);
  }
}

function answerHeaders(served: ServedRequest, route: ServedRoute, answer: CachedAnswer): HeaderList {
  const { freshness, cached } = answer;
  if (cached?.is === 'stale') served.stale = cached.why;
  const list = commonHeaders(served);
  const isForNow = freshness?.isPartial || cached?.is === 'stale';
  addHeader(list, 'Cache-Control', isForNow ? 'no-store' : cacheControl(served, route));
  if (cached) addHeader(list, 'Cache-Status', CACHE_STATUS[cached.is]);
  if (answer.etag !== undefined) addHeader(list, 'ETag', answer.etag);
  if (freshness) {
    addHeader(list, served.serve.names.mirror, freshness.isPartial ? 'partial' : 'complete');
    if (freshness.checkedAt !== undefined) addHeader(list, served.serve.names.mirrorChecked, freshness.checkedAt);
  }
  if (answer.synthetic) addHeader(list, served.serve.names.synthetic, '1');
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
function cacheControl({ context, windows }: ServedRequest, { endpoint, storable }: ServedRoute): string {
  if (!storable) return 'no-store';
  if (context?.class !== 'keyless') return 'private, max-age=0, must-revalidate';
  const untilStep = DELAY_STEP_SECONDS - (windows.second % DELAY_STEP_SECONDS);
  return `public, max-age=${endpoint.access.delayed ? untilStep : freshFor(endpoint, windows.second * 1000)}`;
}

/** The compressed bytes are kept beside the plain ones for the next caller. */
async function sendCompressed(served: ServedRequest, answer: CachedAnswer, list: HeaderList): Promise<void> {
  try {
    answer.gzip = await compress(answer.body ?? joinParts(answer.parts ?? []));
    send(served, 200, list, answer.gzip);
  } catch (error) {
    fail(served, error);
  }
}
