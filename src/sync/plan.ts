import { KEYLESS_DAYS } from '../contract/access.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { addDays, BEGINNING } from '../contract/time.ts';
import type { AccessTag, Proof } from '../mirror/mirror.ts';
import { stretchesOf } from '../source/coverage.ts';

export { BEGINNING };

/** A closed window of dates to walk, both ends included. */
export interface DateWindow {
  readonly from: string;
  readonly to: string;
}

export interface HistoryState {
  readonly endpoint: Endpoint;
  readonly access: AccessTag;
  readonly proofs: readonly Proof[];
  /** UTC date. */
  readonly today: string;
}

/**
 * Which windows complete a history, in order: the head first, whose values the publisher may still correct, then what is
 * not proven before it, newest first. Windows never overlap, so their pages add up to the least possible number but for
 * one broken page each. A caller without a key is asked for what it may see and nothing else.
 */
export function planHistory({ endpoint, access, proofs, today }: HistoryState): readonly DateWindow[] {
  const sync = endpoint.mirror?.sync;
  const { revisionDays, aheadDays = 0 } = sync?.kind === 'history' ? sync : { revisionDays: 0 };
  const clipped = access === 'keyless' && endpoint.access.window === true;
  const first = clipped ? addDays(today, -KEYLESS_DAYS) : BEGINNING;
  const proven = stretchesOf(proofs).filter((stretch) => stretch.to >= first);
  const newest = proven.at(-1);
  // Nothing newer than the last proof may be skipped, so the head starts at that proof when it is older.
  const headFrom = later(first, addDays(earlier(newest?.to ?? today, today), -revisionDays));
  const windows: DateWindow[] = [{ from: headFrom, to: addDays(today, aheadDays) }];
  let end = addDays(headFrom, -1);
  for (const stretch of [...proven].reverse()) {
    if (stretch.to < end) windows.push({ from: addDays(stretch.to, 1), to: end });
    end = earlier(end, addDays(stretch.from, -1));
  }
  if (end >= first) windows.push({ from: first, to: end });
  return windows;
}

const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);
