import type { CutBody } from '../../contract/json/body.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import type { Pagination } from '../client.ts';

/** Where a walk stands after a page. */
interface PageStep {
  readonly pagination: Pagination | undefined;
  readonly offset: number;
  readonly total: number | undefined;
  /** How to ask for the next page, as arguments and as one text; undefined on the last page. */
  readonly next: { readonly text: string; readonly args: Args } | undefined;
}

/** Judges each page of one walk by the arguments that it was asked with and by the pages before it. */
export type Judge = (cut: CutBody, question: Args) => PageStep;

/** The `pagination` object of an answer; undefined when there is none. */
export function paginationIn(envelope: JsonObject): Pagination | undefined {
  const raw = envelope.pagination;
  if (!isJsonObject(raw)) return undefined;
  return {
    has_more: raw.has_more === true,
    next_offset: count(raw.next_offset),
    total_count: count(raw.total_count),
    raw,
  };
}

/** A whole number from zero up; undefined for anything else. */
export function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
