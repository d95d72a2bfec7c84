// The cache that stands before the service, as far as a caller sees it: `HIT` is free, and what it says is asked as always.
import { DELAY_STEP_SECONDS } from '../../contract/access.ts';
import { etagMatches } from '../../contract/headers.ts';
import type { MirrorState } from '../../mirror/api/mirror.ts';

/** A state of the mirror, and the Unix second. */
export interface MirrorMoment {
  readonly state: MirrorState;
  readonly second: number;
}

/** The cached answer of an address. */
interface EdgeAnswer {
  readonly etag: string | undefined;
  /** False if only its validator is cached, since the caller had the body already. */
  readonly hasBody: boolean;
}

/** Remembers what callers without a key asked: they share one answer inside a step of five minutes. */
export interface EdgeCache {
  /** True for an address that was answered in this step, if nothing was written since. `held` is the caller's validator. */
  has(url: string, held: string | undefined, now: MirrorMoment): boolean;
  add(url: string, answer: EdgeAnswer, asked: MirrorMoment): void;
}

/** Addresses of two generations each: one is forgotten after at least so many others. */
const ADDRESSES = 4_000;

export function createEdgeCache(): EdgeCache {
  type Known = EdgeAnswer & { readonly state: MirrorState; readonly step: number };
  let recent = new Map<string, Known>();
  let older = new Map<string, Known>();
  return {
    has(url, held, { state, second }) {
      const known = recent.get(url) ?? older.get(url);
      if (!known || known.state !== state || known.step !== stepOf(second)) return false;
      return known.hasBody || etagMatches(held, known.etag);
    },
    add(url, answer, { state, second }) {
      recent.set(url, { ...answer, state, step: stepOf(second) });
      if (recent.size >= ADDRESSES) [older, recent] = [recent, new Map()];
    },
  };
}

/** Number of a step of five minutes. */
export const stepOf = (second: number) => Math.floor(second / DELAY_STEP_SECONDS);
