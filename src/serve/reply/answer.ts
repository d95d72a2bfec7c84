import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoSeconds } from '../../contract/time/time.ts';
import { mirrorIncomplete } from '../../source/coverage/mark.ts';
import type { Reply } from '../../source/source.ts';
import { authorize, identify, refuseLongUrl } from '../access/authorize.ts';
import type { RequestContext } from '../access/callers.ts';
import { refuseOutsiders } from '../access/refusal.ts';
import { argumentsOf, openRequest, type ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import type { ServeState } from '../state.ts';
import { joinParts } from './body.ts';
import { isCached, sendReply } from './deliver.ts';
import type { MirrorMoment } from './edge-cache.ts';
import { fail } from './fail.ts';
import type { PlannedPage } from './page-plans.ts';
import { type CachedAnswer, isRight, type MirrorFreshness, nameOfAnswer } from './response-cache.ts';

/**
 * Answers a request that has a route. Walk: the key is judged; a keyless repeat is answered by the edge cache and costs
 * nothing; the budgets are asked and charged; an answer that is known to be right, or another page of one, is sent at once,
 * without a promise.
 * Everything else reads the arguments, checks access and asks the source.
 */
export function answer(serve: ServeState, route: ServedRoute, request: FastifyRequest, reply: FastifyReply): void {
  const served = openRequest(serve, request, reply);
  served.endpoint = route.endpoint;
  try {
    refuseLongUrl(served);
    const context = identify(served);
    if (isEdgeHit(served, context)) served.edge = 'HIT';
    else authorize(served, context, route);
    const memory = recall(served, context);
    const known = memory.ready ?? memory.planned?.make();
    if (known) sendReply(served, route, repeated(keepRepeated(served, memory, known)));
    else void askFor(served, route, memory);
  } catch (error) {
    fail(served, error);
  }
}

function isEdgeHit(served: ServedRequest, context: RequestContext): boolean {
  const { serve, url, edge, queryKey, request } = served;
  if (context.class !== 'keyless' || edge !== 'MISS' || queryKey !== undefined) return false;
  return serve.edge.has(url, request.headers['if-none-match'], momentOf(served));
}

function momentOf({ serve, windows }: ServedRequest): MirrorMoment {
  return { version: serve.mirrorVersion(), second: windows.second };
}

/** What is remembered of an answer. */
interface Memory {
  /** Its name in the cache; undefined when it may not be kept, as its address holds a key or not the whole question. */
  readonly key: string | undefined;
  /** An earlier answer, to be confirmed. */
  readonly earlier: CachedAnswer | undefined;
  /** The same, when it is known to be right and enough for this caller. */
  readonly ready: CachedAnswer | undefined;
  /** Otherwise another page of a question that was answered. */
  readonly planned: PlannedPage | undefined;
}

function recall(served: ServedRequest, context: RequestContext): Memory {
  // A posted question does not show in its address.
  if (served.queryKey !== undefined || served.request.method === 'POST')
    return { key: undefined, earlier: undefined, ready: undefined, planned: undefined };
  const key = nameOfAnswer(context, served.url);
  const earlier = served.serve.cache.get(key);
  // Without the bytes only a caller who has them already can be answered.
  const enough = earlier && (earlier.body !== undefined || isCached(served.request.headers, earlier.etag));
  const ready = enough && isRight(earlier, momentOf(served), context) ? earlier : undefined;
  return { key, earlier, ready, planned: ready ? undefined : findPage(served, context) };
}

/**
 * A page that is made of what is kept takes room of its own from its second time on: a walk over all pages would drive out
 * what they are made of.
 */
function keepRepeated(served: ServedRequest, { key }: Memory, made: CachedAnswer): CachedAnswer {
  if (made.parts === undefined || key === undefined || !served.serve.seen.again(key)) return made;
  return remember(served, key, made);
}

/** Keeps an answer for later callers. One object, so that what compresses it does so for all that ask again. */
function remember({ serve, url, context }: ServedRequest, key: string, answer: CachedAnswer): CachedAnswer {
  const whole = answer.parts === undefined ? answer : { ...answer, body: joinParts(answer.parts), parts: undefined };
  serve.cache.put(key, whole);
  const { etag, body, version, second } = whole;
  if (context?.class === 'keyless') serve.edge.add(url, { etag, hasBody: body !== undefined }, { version, second });
  return whole;
}

/** Another page of a question that was answered. */
function findPage(served: ServedRequest, context: RequestContext) {
  return served.serve.pages.find({ url: served.url, class: context.class }, momentOf(served));
}

/** Asks the source and answers, whatever comes of it. */
async function askFor(served: ServedRequest, route: ServedRoute, memory: Memory): Promise<void> {
  try {
    sendReply(served, route, await askTogether(served, route, memory));
  } catch (error) {
    fail(served, error);
  }
}

/** Equal questions of one second are asked once, however many callers wait for the answer. */
function askTogether(served: ServedRequest, route: ServedRoute, memory: Memory): Promise<CachedAnswer> {
  const { serve, windows } = served;
  const { key, earlier } = memory;
  if (key === undefined) return askSource(served, route, memory);
  const name = JSON.stringify([key, windows.second, serve.mirrorVersion(), validatorOf(served, earlier)]);
  const pending = serve.asking.get(name);
  if (pending) return pending.then(repeated);
  const asking = askSource(served, route, memory).finally(() => serve.asking.delete(name));
  serve.asking.set(name, asking);
  return asking;
}

/** What was asked of the service for another request cost this one nothing. */
function repeated(answer: CachedAnswer): CachedAnswer {
  return answer.cached?.is === 'miss' ? { ...answer, cached: { is: 'collapsed' } } : answer;
}

/** What the source may answer with "unchanged": the bytes that are kept here, else those that the caller has. */
function validatorOf({ request }: ServedRequest, earlier: CachedAnswer | undefined): string | undefined {
  if (earlier?.body) return earlier.etag;
  return request.method === 'POST' ? undefined : request.headers['if-none-match'];
}

async function askSource(served: ServedRequest, route: ServedRoute, { key, earlier }: Memory): Promise<CachedAnswer> {
  const { serve, request, now, windows, context: requester } = served;
  const { endpoint } = route;
  const args = await argumentsOf(served, endpoint);
  await refuseOutsiders(served, route, args);
  const caller = requester?.caller ?? { kind: 'keyless' };
  const version = serve.mirrorVersion();
  const isPosted = request.method === 'POST';
  const validator = validatorOf(served, earlier);
  const context = { caller, now, ...(validator !== undefined && { ifNoneMatch: validator }) };
  const reply = await route.ask({ endpoint, args }, context);
  if (serve.strict && reply.shortfall) throw mirrorIncomplete(reply.shortfall);
  const { second } = windows;
  const kept = keep(route, { reply, earlier, stamp: { version, second, until: reply.pages?.until ?? second + 1 } });
  // Only GET and HEAD carry validators.
  if (isPosted) return { ...kept, etag: undefined };
  const isConfirmed = kept.cached?.is !== 'stale';
  // A word that was read in another way is told with the answer to it alone.
  if (key !== undefined && requester && route.storable && (served.oddities ?? []).length === 0)
    serve.pages.keep({ url: served.url, class: requester.class }, reply, kept);
  const isMade = reply.pages !== undefined || kept.parts !== undefined;
  const isFirst = isMade && !serve.seen.again(key ?? '');
  if (key === undefined || !route.storable || kept.etag === undefined || !isConfirmed || isFirst) return kept;
  return remember(served, key, kept);
}

function standingOf({ asOf, shortfall }: Reply): MirrorFreshness {
  return { isPartial: shortfall !== undefined, ...(asOf > 0 && { checkedAt: isoSeconds(Math.floor(asOf / 1000)) }) };
}

/** The reply as bytes. A confirmed earlier answer keeps its bytes, the compressed ones too, and was checked anew. */
function keep(
  route: ServedRoute,
  {
    reply,
    earlier,
    stamp,
  }: {
    readonly reply: Reply;
    readonly earlier: CachedAnswer | undefined;
    readonly stamp: Pick<CachedAnswer, 'version' | 'second' | 'until'>;
  },
): CachedAnswer {
  const freshness = route.endpoint.local ? undefined : standingOf(reply);
  const { cached } = reply;
  const known = { ...stamp, freshness, cached };
  // What could not be confirmed must not stay in the memory.
  if (reply.status === 304 && earlier?.body)
    return cached?.is === 'stale' ? { ...earlier, ...known } : Object.assign(earlier, known);
  return {
    route,
    etag: reply.etag,
    ...(reply.pieces
      ? { body: undefined, parts: reply.pieces }
      : { body: reply.status === 304 ? undefined : Buffer.from(reply.body) }),
    gzip: undefined,
    synthetic: reply.synthetic,
    ...known,
  };
}
