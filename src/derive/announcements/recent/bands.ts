// Which of all releases are kept ready together.
import type { PageArgs } from '../../../contract/endpoint.ts';

/** Releases whose rows are loaded together at least. */
const LEAST_RELEASES = 64;

/** Releases far back whose texts are kept together: whole chunks of `createPageRows`, so that none begins before its band. */
const BAND = 2_048;

/** Places of releases, newest first: from one on, up to another that is left out. */
export interface Band {
  readonly from: number;
  readonly to: number;
}

/**
 * The releases that are kept ready for the page and those that may be asked for next: the newest ones in growing numbers, far
 * behind them some thousand at a time, so that whoever walks back through all of them keeps few and seldom waits. A page at
 * the end of a band reaches into the next one.
 */
export function bandOf({ offset, limit }: PageArgs, total: number): Band {
  if (offset >= total) return { from: 0, to: 0 };
  const end = Math.min(offset + limit, total);
  if (end <= BAND) return { from: 0, to: Math.min(total, Math.max(LEAST_RELEASES, roundedUp(end))) };
  const from = Math.floor(offset / BAND) * BAND;
  return { from, to: Math.min(total, Math.max(end, from + 2 * BAND)) };
}

/** The next power of two, so that lengths of what is read and kept are few. */
export function roundedUp(count: number): number {
  return 2 ** Math.ceil(Math.log2(count));
}
