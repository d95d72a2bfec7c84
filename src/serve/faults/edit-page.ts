// Pages that lie about themselves.
import { isJsonObject, type JsonObject, objectIn, toJsonText } from '../../contract/json/json.ts';
import type { PageLie } from './fault.ts';

/** Rows of a page where the request does not say. */
const DEFAULT_PAGE_ROWS = 20;

/** Where a request stands in a run of pages. */
interface PagePlace {
  readonly limit: number;
  readonly offset: number;
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
export function lieAbout(body: Buffer, url: string, as: PageLie): Buffer {
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
      // The rows are those of an earlier page; what the page says of itself is what was asked for.
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
