import { releaseCutoff } from '../contract/access.ts';
import type { CutBody } from '../contract/json/body.ts';
import { isJsonObject, type JsonObject } from '../contract/json/json.ts';
import { instantOf } from '../contract/time/time.ts';

const DAY = 86_400;

/** An answer of a feed, as evidence of a watched time. Times are Unix seconds. */
export interface FeedAnswer {
  /** Where the answer begins; undefined for a position that only the service reads. */
  readonly from: number | undefined;
  readonly cut: CutBody;
  readonly hasMore: boolean;
  readonly access: string;
  /** Milliseconds. */
  readonly at: number;
}

/** The time of which an answer has every event: to before its last second if more follow, from the end of lost ones. */
export function watchedSpan({ from, cut, hasMore, access, at }: FeedAnswer) {
  const begin = beginIn(cut, from);
  if (begin === undefined) return undefined;
  const last = cut.rows.map(secondOf).reduce((a, b) => Math.max(a, b), 0);
  const now = Math.floor(at / 1000);
  const to = hasMore
    ? Math.min(last, releaseCutoff(now)) - 1
    : Math.max(last, Math.floor(watchedUntil(access, cut, at) / 1000));
  return to < begin ? undefined : { from: begin, to, rows: cut.rows.length };
}

/** Where the complete part of an answer begins: after the events that the service has dropped already. */
export function beginIn({ envelope }: CutBody, from: number | undefined): number | undefined {
  if (from === undefined || envelope.gap !== true) return from;
  const oldest = instantOf(envelope.oldest_available);
  return oldest === undefined ? undefined : Math.max(oldest, from);
}

/** Where a question about changes begins that names an instant or nothing. */
export function beginningOf(since: unknown, at: number): number | undefined {
  return since === undefined ? Math.floor(at / 1000) - DAY : typeof since === 'string' ? instantOf(since) : undefined;
}

/** Until when (milliseconds) changes are known. See docs/interface-events.md#changes. */
export function watchedUntil(access: string, cut: Pick<CutBody, 'envelope'> | undefined, at: number): number {
  if (access !== 'keyless') return at;
  const delay = cut?.envelope.freemium_delay;
  if (isJsonObject(delay) && delay.withheld_count === 0) return at;
  return releaseCutoff(Math.floor(at / 1000)) * 1000;
}

function secondOf({ value }: { readonly value: JsonObject }): number {
  return instantOf(value.timestamp) ?? 0;
}
