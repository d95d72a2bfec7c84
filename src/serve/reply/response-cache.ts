import type { MirrorState } from '../../mirror/api/mirror.ts';
import { createColumns } from '../../source/columns.ts';
import type { CacheOutcome } from '../../source/source.ts';
import type { RequestContext } from '../access/callers.ts';
import type { ServedRoute } from '../routes.ts';
import type { Body } from './body.ts';
import { type MirrorMoment, stepOf } from './edge-cache.ts';

/** The headers of a mirrored answer. */
export interface MirrorFreshness {
  readonly isPartial: boolean;
  /** When the mirror last looked at what the answer rests on, ISO. */
  readonly checkedAt?: string;
}

/** An answer cached as bytes. */
export interface CachedAnswer {
  /** The route that its address has. */
  readonly route: ServedRoute;
  /** Undefined for answers that no caller may keep. */
  readonly etag: string | undefined;
  /** Undefined if only the validator is cached: the caller had the bytes already, or nobody asked again. */
  readonly body: Body | undefined;
  /** The same body compressed, once somebody asked for it. */
  gzip: Buffer | undefined;
  readonly synthetic: boolean;
  /** Whether the mirror is complete for the question; undefined for answers from elsewhere. */
  freshness: MirrorFreshness | undefined;
  /** How a cache before the service came by it; undefined where there is none. */
  cached: CacheOutcome | undefined;
  /** The state of the mirror behind the answer, or an earlier one. */
  state: MirrorState;
  /** Unix second in which the answer was last known to be right. */
  second: number;
}

export interface ResponseCache {
  get(key: string): CachedAnswer | undefined;
  put(key: string, answer: CachedAnswer): void;
  /** How many were sent as they were cached. */
  hits: number;
}

/** The name of an answer: a class of callers gets the same ones. */
export function nameOfAnswer(context: Pick<RequestContext, 'class'>, url: string): string {
  return `${context.class} ${url}`;
}

/** Is the cached answer still right? It changes with the mirror and each second, without a key every five minutes. */
export function isRight(
  kept: CachedAnswer,
  { state, second }: MirrorMoment,
  context: Pick<RequestContext, 'class'>,
): boolean {
  if (kept.state !== state) return false;
  if (context.class !== 'keyless') return kept.second === second;
  return stepOf(kept.second) === stepOf(second);
}

/** Answers by their names, in bounded memory. */
export function createResponseCache(maxBytes: number): ResponseCache {
  const cached = createColumns(maxBytes);
  return {
    get: (key) => cached.get<CachedAnswer>(key),
    put: (key, answer) => cached.put(key, answer, sizeOf(key, answer)),
    hits: 0,
  };
}

/** Room is reckoned for the compressed twin from the start, since it comes later. */
function sizeOf(key: string, answer: CachedAnswer): number {
  return 1_024 + key.length * 2 + (answer.body?.length ?? 0) * 2;
}
