// Spoils status, headers and body of an answer.

import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { isJsonObject, type JsonObject, objectIn, toJsonText } from '../../contract/json/json.ts';
import { type CapturedAnswer, headerIn, withHeader } from './captured-answer.ts';
import type { NamedFault, PageLie } from './fault.ts';

interface EditContext {
  /** As the caller sent it. */
  readonly url: string;
  readonly takesGzip: boolean;
  /** Milliseconds. */
  readonly now: number;
}

/** How an answer leaves: whole, cut off after so many bytes of its body, or with another length than it has. */
interface SpoiledAnswer extends CapturedAnswer {
  readonly cutAfter: number | undefined;
  readonly hasWrongLength: boolean;
}

/** Rows of a page where the request does not say. */
const DEFAULT_PAGE_ROWS = 20;

/** Where a request stands in a run of pages. */
interface PagePlace {
  readonly limit: number;
  readonly offset: number;
}

/** Spoils an answer with each of its faults, in their order. */
export function editAnswer(answer: CapturedAnswer, faults: readonly NamedFault[], context: EditContext): SpoiledAnswer {
  const whole: SpoiledAnswer = { ...answer, cutAfter: undefined, hasWrongLength: false };
  const start = { ...whole, headers: withHeader(whole.headers, 'Date', new Date(context.now).toUTCString()) };
  return faults.reduce((spoiled, { rule }) => editOnce(spoiled, rule, context), start);
}

function editOnce(answer: SpoiledAnswer, rule: NamedFault['rule'], context: EditContext): SpoiledAnswer {
  switch (rule.fault) {
    case 'page':
      if (answer.status !== 200 || headerIn(answer.headers, 'content-encoding') !== undefined) return answer;
      // A validator of a lie would make a cache keep it.
      return withBody({ ...answer, headers: withHeader(answer.headers, 'ETag', undefined) }, () =>
        lieAbout(answer.body, context.url, rule.as),
      );
    case 'clock-skew': {
      const date = new Date(context.now + rule.seconds * 1000).toUTCString();
      return { ...answer, headers: withHeader(answer.headers, 'Date', date) };
    }
    case 'truncated-gzip':
      return context.takesGzip && answer.body.length > 0 ? truncateGzip(answer, rule.bytes) : answer;
    case 'wrong-length': {
      const length = Math.max(0, answer.body.length + (rule.by ?? 10));
      if (answer.body.length === 0) return answer;
      return { ...answer, headers: withHeader(answer.headers, 'Content-Length', String(length)), hasWrongLength: true };
    }
    case 'reset':
      return { ...answer, cutAfter: rule.bytes ?? 0 };
    default:
      return answer;
  }
}

function truncateGzip(answer: SpoiledAnswer, bytes: number | undefined): SpoiledAnswer {
  const isPacked = headerIn(answer.headers, 'content-encoding') === 'gzip';
  const packed = isPacked ? answer.body : gzipSync(answer.body);
  const headers = withHeader(answer.headers, 'Content-Encoding', 'gzip');
  // The whole of it would be no fault.
  const kept = Math.min(bytes ?? Math.floor(packed.length / 2), packed.length - 1);
  return withBody({ ...answer, headers }, () => packed.subarray(0, kept));
}

function withBody(answer: SpoiledAnswer, edit: () => Buffer): SpoiledAnswer {
  if (answer.body.length === 0) return answer;
  const body = edit();
  return { ...answer, body, headers: withHeader(answer.headers, 'Content-Length', String(body.length)) };
}

/** The address to ask in place of a request's own, so that its rows are those of another page. */
export function urlOfLie(url: string, as: PageLie): string {
  const { limit, offset } = placeOf(url);
  const shift = as === 'repeated' ? limit : as === 'shifted' ? 1 : 0;
  if (shift === 0 || offset < shift) return url;
  const words = wordsOf(url);
  words.delete('page');
  words.set('offset', String(offset - shift));
  return `${url.split('?', 1)[0]}?${words}`;
}

/** The body with a page's lie in it. A body without pages stays as it is. */
function lieAbout(body: Buffer, url: string, as: PageLie): Buffer {
  const text = body.toString('utf8');
  if (!text.startsWith('{')) return body;
  const answer = readExactly(text);
  if (!isJsonObject(answer)) return body;
  const lie = isJsonObject(answer.pagination) ? offsetLie(answer, placeOf(url), as) : cursorLie(answer, url, as);
  return lie === undefined ? body : Buffer.from(toJsonText({ ...answer, ...lie }));
}

function offsetLie(answer: JsonObject, { limit, offset }: PagePlace, as: PageLie): object | undefined {
  const pagination = objectIn(answer.pagination);
  const total = numberIn(pagination.total_count);
  switch (as) {
    case 'empty':
      return {
        data: [],
        pagination: { ...pagination, returned_count: 0, has_more: true, next_offset: offset + limit },
      };
    case 'total':
      return { pagination: { ...pagination, total_count: total + 1 } };
    case 'next':
      return { pagination: { ...pagination, has_more: true, next_offset: offset } };
    default: {
      // The rows are those of an earlier page, but the paging members match the request.
      const { next_offset: _, ...rest } = pagination;
      const next = offset + numberIn(pagination.returned_count);
      const more = next < total;
      return { pagination: { ...rest, offset, has_more: more, ...(more && { next_offset: next }) } };
    }
  }
}

/** A walk by cursor knows two lies: nothing came, and the cursor that was sent comes back. */
function cursorLie(answer: JsonObject, url: string, as: PageLie): object | undefined {
  if (answer.next_cursor === undefined) return undefined;
  if (as === 'empty') return { data: [], has_more: true };
  return as === 'next' ? { next_cursor: wordsOf(url).get('since') ?? answer.next_cursor, has_more: true } : undefined;
}

function placeOf(url: string): PagePlace {
  const words = wordsOf(url);
  const limit = positive(words.get('limit')) ?? DEFAULT_PAGE_ROWS;
  const page = positive(words.get('page'));
  return { limit, offset: page === undefined ? (positive(words.get('offset')) ?? 0) : (page - 1) * limit };
}

function wordsOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

function positive(text: string | null | undefined): number | undefined {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** Numbers of `readExactly` are texts in disguise. */
function numberIn(value: unknown): number {
  return Number(JSON.stringify(value) ?? 0);
}

/** Reads JSON so that every number is written again as it was spelled: nanoseconds do not fit into a number. */
function readExactly(text: string): unknown {
  const keep = (_name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value;
  return JSON.parse(text, keep);
}

/** Sends an answer as its faults want it. A connection whose answer was no whole one is not used again. */
export function sendSpoiled(response: ServerResponse, answer: SpoiledAnswer): void {
  const { status, headers, body, cutAfter, hasWrongLength } = answer;
  if (response.destroyed) return;
  response.writeHead(status, headers);
  const isBare = response.req.method === 'HEAD' || status === 204 || status === 304;
  if (cutAfter !== undefined) {
    const part = isBare ? Buffer.alloc(0) : body.subarray(0, cutAfter);
    response.flushHeaders();
    if (part.length > 0) response.write(part);
    resetConnection(response);
  } else if (hasWrongLength && !isBare) {
    const { socket } = response;
    response.write(body, () => socket?.end());
  } else {
    response.end(isBare ? undefined : body);
  }
}

/** Resets a connection once its bytes are with the system: it would drop what waits here. */
export function resetConnection({ socket }: ServerResponse): void {
  socket?.write('', () => setImmediate(() => socket.resetAndDestroy()));
}
