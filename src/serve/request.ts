import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import { keyOfRequest, type RequestContext } from './access/callers.ts';
import type { CallerAccount, LimitRefusal, OwnBudget } from './access/limits.ts';
import type { Windows } from './access/windows.ts';
import { queryTextOf } from './arguments.ts';
import type { ServeState } from './state.ts';

/** One request and what is known about it so far; each stage fills in its own members. */
export interface ServedRequest {
  readonly serve: ServeState;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly url: string;
  /** Milliseconds. */
  readonly now: number;
  readonly windows: Windows;
  /** The key in the query, which is deprecated; undefined when there is none. */
  readonly queryKey: string | undefined;
  /** The key that is judged. */
  readonly key: string | undefined;
  edge: 'HIT' | 'MISS' | 'BYPASS';
  /** What is asked; undefined where no route took the request. */
  endpoint?: Endpoint;
  context?: RequestContext;
  /** Set once the answer speaks of budgets. */
  account?: CallerAccount;
  /** The endpoint's own budget, where it has one. */
  own?: OwnBudget;
  refusal?: LimitRefusal;
  /** Why what is answered could not be confirmed, as one sentence. */
  stale?: string;
  /** Sentences about words of the question that no table knows. */
  oddities?: readonly string[];
}

/** Starts an exchange: what the clock, the address and the verb say. */
export function openRequest(serve: ServeState, request: FastifyRequest, reply: FastifyReply): ServedRequest {
  const url = request.raw.url ?? '/';
  const queryKey = /api_key|%/.test(url) ? queryTextOf(url).api_key : undefined;
  const key = keyOfRequest(request.headers, queryKey);
  const now = serve.now();
  const reads = request.method === 'GET' || request.method === 'HEAD';
  // Only keyless readers share the edge cache.
  const edge = reads && key === undefined ? 'MISS' : 'BYPASS';
  return { serve, request, reply, url, queryKey, key, now, windows: serve.windows(now), edge };
}
