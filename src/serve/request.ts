import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import type { RawArgs } from '../contract/params/param.ts';
import { inBodyWords, readBody } from '../contract/params/post.ts';
import type { ReadArgs } from '../contract/params/read-params.ts';
import type { MirrorState } from '../mirror/api/mirror.ts';
import { keyOfRequest, type RequestContext } from './access/callers.ts';
import { type CallerAccount, type LimitRefusal, type OwnBudget, type Windows, windowsAt } from './access/limits.ts';
import { queryTextOf } from './arguments.ts';
import type { ServeState } from './state.ts';

/** One request and the facts known about it so far; each stage fills in its own members. */
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
  /** The state of the mirror, as the request found it. */
  mirrorState: MirrorState;
  /** The requested endpoint; undefined where no route took the request. */
  endpoint?: Endpoint;
  context?: RequestContext;
  /** Set once the answer speaks of budgets. */
  account?: CallerAccount;
  /** The endpoint's own budget, where it has one. */
  own?: OwnBudget;
  refusal?: LimitRefusal;
  /** Why the answer could not be confirmed, as one sentence. */
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
  return {
    serve,
    request,
    reply,
    url,
    queryKey,
    key,
    now,
    windows: windowsAt(Math.floor(now / 1000)),
    edge,
    mirrorState: 0,
  };
}

/** The arguments of a request, from its path and its query or body. Notes about unknown words go into the exchange. */
export async function argumentsOf(
  served: ServedRequest,
  endpoint: Endpoint,
): Promise<Pick<ReadArgs, 'args' | 'given'>> {
  const { serve, request, url, now } = served;
  // Fastify types the decoded path arguments as unknown; the router makes nothing but strings of them.
  const path = request.params as Record<string, string>;
  const read = (query: RawArgs['query']) => serve.readArguments(endpoint, { path, query }, now);
  const { post } = endpoint;
  const body = request.method === 'POST' && post && readBody(post, bytesOf(request), request.headers['content-type']);
  const { args, given, notes } = body ? await inBodyWords(() => read(body)) : await read(queryTextOf(url));
  served.oddities = notes;
  return { args, given };
}

/** The one parser of bodies hands them on as they came. */
export function bytesOf({ body }: Pick<ServedRequest['request'], 'body'>): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}
