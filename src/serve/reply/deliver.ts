import type { IncomingHttpHeaders } from 'node:http';
import { DELAY_STEP_SECONDS } from '../../contract/access.ts';
import { freshFor } from '../../contract/endpoint.ts';
import { etagMatches } from '../../contract/etag.ts';
import { type Body, lengthOfBody } from '../../platform/shortcut/answer-bytes.ts';
import type { CacheOutcome } from '../../source/source.ts';
import type { ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import { acceptsGzip, compress, GZIP_FROM_BYTES } from './compression.ts';
import { fail } from './fail.ts';
import { addHeader, type HeaderList } from './header-list.ts';
import type { CachedAnswer } from './response-cache.ts';
import { commonHeaders, send } from './send.ts';

/** Headers that say which form of an answer a caller takes. */
export type FormHeaders = Pick<IncomingHttpHeaders, 'if-none-match' | 'accept-encoding'>;

/** True when the caller says that it holds this very answer. */
export function isCached(headers: FormHeaders, etag: string | undefined): boolean {
  return etagMatches(headers['if-none-match'], etag);
}

/** True when the caller takes a compressed answer. */
export function takesGzip(headers: FormHeaders): boolean {
  return acceptsGzip(headers['accept-encoding']);
}

/** How an answer goes to one caller. */
export interface Form {
  readonly status: 200 | 304;
  readonly body: Body;
  /** The coding that the caller wants: the body is in it already, or is not yet. */
  readonly gzip: 'done' | 'wanted' | undefined;
}

/** Not at all when the caller has it, compressed when that is wanted and worth it. */
export function formOf(headers: FormHeaders, answer: CachedAnswer): Form {
  const { body, parts, gzip } = answer;
  const whole = body ?? parts;
  if (whole === undefined || isCached(headers, answer.etag)) return { status: 304, body: '', gzip: undefined };
  const isWorthIt = takesGzip(headers) && lengthOfBody(whole) >= GZIP_FROM_BYTES;
  if (!isWorthIt) return { status: 200, body: whole, gzip: undefined };
  return gzip ? { status: 200, body: gzip, gzip: 'done' } : { status: 200, body: whole, gzip: 'wanted' };
}

/** Sends an answer. One that has yet to be compressed is sent when it is. */
export function sendReply(served: ServedRequest, route: ServedRoute, answer: CachedAnswer): void {
  const form = formOf(served.request.headers, answer);
  if (form.gzip === 'wanted') void sendCompressed(served, answer, formHeaders(served, route, { answer, form }));
  else sendForm(served, route, { answer, form });
}

/** An answer, and the form in which it goes. */
export interface Formed {
  readonly answer: CachedAnswer;
  readonly form: Form;
}

/** Sends an answer in a form that it has, and gives the headers that it went with. */
export function sendForm(served: ServedRequest, route: ServedRoute, formed: Formed): HeaderList {
  const { status, body } = formed.form;
  const list = formHeaders(served, route, formed);
  send(served, status, list, body);
  return list;
}

function formHeaders(served: ServedRequest, route: ServedRoute, { answer, form }: Formed): HeaderList {
  const list = answerHeaders(served, route, answer);
  if (form.gzip) addHeader(list, 'Content-Encoding', 'gzip');
  return list;
}

/** A body of its pieces. */
export function joinParts(parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
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
