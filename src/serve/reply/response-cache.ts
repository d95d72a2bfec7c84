import type { MemoryBudget } from '../../contract/memory-budget.ts';
import { createByteCache } from '../../source/memory/byte-cache.ts';
import type { CacheOutcome } from '../../source/source.ts';
import type { RequestContext } from '../access/callers.ts';
import type { ServedRoute } from '../routes.ts';

/** What the headers say of a mirrored answer. */
export interface MirrorFreshness {
  readonly isPartial: boolean;
  /** When the mirror last looked at what the answer rests on, ISO. */
  readonly checkedAt?: string;
}

/** An answer kept as bytes. */
export interface CachedAnswer {
  /** The route that its address has. */
  readonly route: ServedRoute;
  /** Undefined for answers that no caller may keep. */
  readonly etag: string | undefined;
  /** Undefined when only the validator is known: the caller had the bytes already. */
  readonly body: Buffer | undefined;
  /** The body of an answer that is not kept, in pieces. */
  readonly parts?: readonly (string | Uint8Array)[] | undefined;
  /** The same body compressed, once somebody asked for it. */
  gzip: Buffer | undefined;
  readonly synthetic: boolean;
  /** How far the mirror holds what was asked; undefined for answers that are not from the mirror. */
  freshness: MirrorFreshness | undefined;
  /** How a cache before the service came by it; undefined where there is none. */
  cached: CacheOutcome | undefined;
  /** Mirror's version that the answer was made from. */
  version: number;
  /** Unix second in which the answer was last known to be right. */
  second: number;
  /** Unix second from which on the clock alone may change the answer to somebody with a key. */
  until: number;
  /** What its heads have in common, by the form in which it goes, once it went so again. */
  heads?: Map<FormName, HeadText> | undefined;
}

/** How an answer goes: whole, compressed, or not at all, to somebody who has it. */
export type FormName = 'plain' | 'gzip' | 'unchanged';

/** Lines of a head. Between the two stand the budgets, before them the name of the request. */
export interface HeadText {
  readonly before: string;
  readonly after: string;
}

export interface ResponseCache {
  get(key: string): CachedAnswer | undefined;
  put(key: string, answer: CachedAnswer): void;
}

/** The name of an answer: a class of callers gets the same ones. */
export function nameOfAnswer(context: Pick<RequestContext, 'class'>, url: string): string {
  return `${context.class} ${url}`;
}

/** Answers by their names, in bounded memory. */
export function createResponseCache(budget: MemoryBudget): ResponseCache {
  const cached = createByteCache<CachedAnswer>(budget);
  return { get: cached.get, put: (key, answer) => cached.put(key, answer, sizeOf(key, answer)) };
}

/** Room is reckoned for the compressed twin and the texts of heads from the start, since they come later. */
function sizeOf(key: string, answer: CachedAnswer): number {
  return 1_024 + key.length * 2 + (answer.body?.length ?? 0) * 2;
}
