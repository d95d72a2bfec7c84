import { integerParam, optional, type Params, textParam, withDefault } from './params/params.ts';
import { wordList } from './words/words.ts';

/** How an answer is paged, and the arguments of the next page. See docs/interface.md#kinds-of-paging. */
export type Paging =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'offset';
      readonly max: number;
      readonly size: number;
      readonly page: boolean;
      /** Answers say whether the page has the newest row there is (`page_includes_latest_available`). */
      readonly marksLatest: boolean;
    }
  | { readonly kind: 'cursor' | 'vintage' | 'checkpoint' | 'sequence'; readonly max: number; readonly size: number };

export const unpaged: Paging = { kind: 'none' };

/** Offset paging: at most `max` rows a page, `size` when not asked; `page` when the route knows page numbers. */
export function offset(options: { max?: number; size?: number; page?: boolean; marksLatest?: boolean } = {}): Paging {
  const { max = 100, size = 20, page = false, marksLatest = false } = options;
  return { kind: 'offset', max, size, page, marksLatest };
}

export function paged(kind: 'cursor' | 'vintage' | 'checkpoint' | 'sequence', max: number, size: number): Paging {
  return { kind, max, size };
}

/** The query parameters that a kind of paging adds to an endpoint. */
export function pagingParams(paging: Paging): Params {
  if (paging.kind === 'none') return {};
  const limit = withDefault(integerParam('rows a page', { min: 1, max: paging.max }), paging.size);
  switch (paging.kind) {
    case 'offset':
      return {
        limit,
        offset: withDefault(integerParam('rows to skip, newest first', { min: 0 }), 0),
        ...(paging.page && { page: optional(integerParam('page number from 1; beats offset', { min: 1 })) }),
      };
    case 'cursor':
      return {
        limit,
        since: optional(textParam('cursor of the last answer, ISO date-time or Unix seconds', { max: 256 })),
      };
    case 'vintage':
      return { limit, before_id: optional(textParam('next_cursor of the last answer', { max: 256 })) };
    case 'checkpoint':
      return {
        limit,
        checkpoint: optional(textParam('checkpoint of the first answer', { max: 256 })),
        cursor: optional(textParam('next_cursor of the last answer', { max: 256 })),
      };
    case 'sequence':
      return { limit, after_sequence: withDefault(integerParam('last sequence that you have', { min: 0 }), 0) };
  }
}

/** Names of the parameters that only move through a result and never change what it is. */
export const PAGING_NAMES: ReadonlySet<string> = new Set(
  wordList('limit offset page since before_id checkpoint cursor after_sequence dataset_version'),
);
