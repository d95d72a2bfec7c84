import type { FastifyReply, FastifyRequest } from 'fastify';
import { DELAY_STEP_SECONDS } from '../../contract/access.ts';
import { freshFor, WRITE_VERBS, type Write, type WriteVerb } from '../../contract/endpoint.ts';
import { etagMatches } from '../../contract/headers.ts';
import { type JsonObject, toJsonText } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/param.ts';
import { readPostedJson } from '../../contract/params/post.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { mirrorIncomplete } from '../../coverage/partial-mark.ts';
import stream from '../../endpoints/events/stream.ts';
import type { MirrorState } from '../../mirror/api/mirror.ts';
import type { CacheOutcome, Reply } from '../../source/source.ts';
import type { Asking, Subscriptions } from '../../webhooks/send/subscriptions.ts';
import { authorize, identify, refuseLongUrl } from '../access/authorize.ts';
import type { RequestContext } from '../access/callers.ts';
import { refuseOutsiders } from '../access/refusal.ts';
import { queryTextOf } from '../arguments.ts';
import { argumentsOf, bytesOf, openRequest, type ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import type { ServeState } from '../state.ts';
import { acceptsGzip, type Body, compress, GZIP_FROM_BYTES, lengthOfBody } from './body.ts';
import type { MirrorMoment } from './edge-cache.ts';
import { fail } from './fail.ts';
import { addHeader, type HeaderList } from './header-list.ts';
import { type CachedAnswer, isRight, type MirrorFreshness, nameOfAnswer } from './response-cache.ts';
import { commonHeaders, send } from './send.ts';

/**
 * Answers a request that has a route. Steps: read the mirror's state; check the key; answer a keyless repeat from the
 * edge cache at no cost; charge the budgets. A cached answer that is still right is sent at once, without a promise.
 * Everything else reads the arguments, checks access and asks the source.
 */
export function answer(serve: ServeState, route: ServedRoute, request: FastifyRequest, reply: FastifyReply): void {
  const served = openRequest(serve, request, reply);
  served.endpoint = route.endpoint;
  try {
    refuseLongUrl(served);
    if (serve.mirrorState) answerIn(served, route, serve.mirrorState());
    else
      serve
        .lookAtMirror()
        .then((state) => answerIn(served, route, state))
        .catch((error: unknown) => fail(served, error));
  } catch (error) {
    fail(served, error);
  }
}

function answerIn(served: ServedRequest, route: ServedRoute, state: MirrorState): void {
  served.mirrorState = state;
  try {
    const context = identify(served);
    if (isEdgeHit(served, context)) served.edge = 'HIT';
    else authorize(served, context, route);
    const memory = recall(served, context);
    if (memory.ready) sendReply(served, route, repeated(memory.ready));
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

function momentOf({ mirrorState: state, windows }: ServedRequest): MirrorMoment {
  return { state, second: windows.second };
}

/** The cached answers to a request. */
interface Memory {
  /** Name in the cache; undefined if the address has a key or not the whole question: it may not be cached then. */
  readonly key: string | undefined;
  /** An earlier answer, to be confirmed. */
  readonly earlier: CachedAnswer | undefined;
  /** The same, when it is known to be right and enough for this caller. */
  readonly ready: CachedAnswer | undefined;
}

function recall(served: ServedRequest, context: RequestContext): Memory {
  // A posted question does not show in its address.
  if (served.queryKey !== undefined || served.request.method === 'POST')
    return { key: undefined, earlier: undefined, ready: undefined };
  const key = nameOfAnswer(context, served.url);
  const earlier = served.serve.cache.get(key);
  // Without the bytes only a caller who has them already can be answered.
  const enough = earlier && (earlier.body !== undefined || hasAlready(served, earlier));
  const ready = enough && isRight(earlier, momentOf(served), context) ? earlier : undefined;
  if (ready) served.serve.cache.hits += 1;
  return { key, earlier, ready };
}

/** Caches an answer, but a mirror's bytes only when they are requested twice; repeats share one object to compress. */
function remember(
  { serve, url, context }: ServedRequest,
  { key, isFirst }: { readonly key: string; readonly isFirst: boolean },
  answer: CachedAnswer,
): CachedAnswer {
  serve.cache.put(key, isFirst ? { ...answer, body: undefined } : answer);
  const { etag, body, state, second } = answer;
  if (context?.class === 'keyless') serve.edge.add(url, { etag, hasBody: body !== undefined }, { state, second });
  return answer;
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
  const { serve, windows, mirrorState } = served;
  const { key, earlier } = memory;
  if (key === undefined) return askSource(served, route, memory);
  const name = JSON.stringify([key, windows.second, mirrorState, validatorOf(served, earlier)]);
  const pending = serve.asking.get(name);
  if (pending) return pending.then(repeated);
  const asking = askSource(served, route, memory).finally(() => serve.asking.delete(name));
  serve.asking.set(name, asking);
  return asking;
}

/** Requests to the service for another request cost this one nothing. */
function repeated(answer: CachedAnswer): CachedAnswer {
  return answer.cached?.is === 'miss' ? { ...answer, cached: { is: 'collapsed' } } : answer;
}

/** The validator of the cached bytes, else the caller's: the source may answer it with "unchanged". */
function validatorOf({ request }: ServedRequest, earlier: CachedAnswer | undefined): string | undefined {
  if (earlier?.body) return earlier.etag;
  return request.method === 'POST' ? undefined : request.headers['if-none-match'];
}

async function askSource(served: ServedRequest, route: ServedRoute, { key, earlier }: Memory): Promise<CachedAnswer> {
  const { serve, request, now, windows, context: requester, mirrorState: state } = served;
  const { endpoint } = route;
  const { args, given } = await argumentsOf(served, endpoint);
  await refuseOutsiders(served, route, args);
  const caller = requester?.caller ?? { kind: 'keyless' };
  const isPosted = request.method === 'POST';
  const validator = validatorOf(served, earlier);
  const origin = served.url.includes('origin=') ? queryTextOf(served.url).origin : undefined;
  const context = {
    caller,
    now,
    ...(origin && { origin }),
    ...(validator !== undefined && { ifNoneMatch: validator }),
  };
  const reply = await route.ask({ endpoint, args, given }, context);
  if (serve.strict && reply.partial) throw mirrorIncomplete(reply.partial);
  const { second } = windows;
  const kept = keep(route, { reply, earlier, stamp: { state, second } });
  // Only GET and HEAD carry validators.
  if (isPosted) return { ...kept, etag: undefined };
  const isConfirmed = kept.cached?.is !== 'stale';
  if (key === undefined || !route.storable || kept.etag === undefined || !isConfirmed) return kept;
  return remember(served, { key, isFirst: !earlier && reply.from === 'mirror' }, kept);
}

function standingOf({ asOf, partial }: Reply): MirrorFreshness {
  return { isPartial: partial !== undefined, ...(asOf > 0 && { checkedAt: isoSeconds(Math.floor(asOf / 1000)) }) };
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
    readonly stamp: Pick<CachedAnswer, 'state' | 'second'>;
  },
): CachedAnswer {
  const freshness = route.endpoint.local ? undefined : standingOf(reply);
  const { cached } = reply;
  const known = { ...stamp, freshness, cached };
  // An unconfirmed answer must not stay in memory.
  if (reply.status === 304 && earlier?.body)
    return cached?.is === 'stale' ? { ...earlier, ...known } : Object.assign(earlier, known);
  return {
    route,
    etag: reply.etag,
    body: reply.status === 304 ? undefined : earlier ? Buffer.from(reply.body) : reply.body,
    gzip: undefined,
    synthetic: reply.synthetic,
    ...known,
  };
}

/** True when the caller says that it has this very answer. */
function hasAlready({ request }: ServedRequest, { etag }: Pick<CachedAnswer, 'etag'>): boolean {
  return etagMatches(request.headers['if-none-match'], etag);
}

/** Sends an answer: a 304 if the caller has it already, compressed if the caller accepts it and it is large enough. */
function sendReply(served: ServedRequest, route: ServedRoute, answer: CachedAnswer): void {
  const list = answerHeaders(served, route, answer);
  const { body } = answer;
  if (body === undefined || hasAlready(served, answer)) send(served, 304, list, '');
  else if (lengthOfBody(body) < GZIP_FROM_BYTES || !acceptsGzip(served.request.headers['accept-encoding']))
    send(served, 200, list, body);
  else {
    addHeader(list, 'Content-Encoding', 'gzip');
    if (answer.gzip) send(served, 200, list, answer.gzip);
    else void sendCompressed(served, { answer, body }, list);
  }
}

function answerHeaders(served: ServedRequest, route: ServedRoute, answer: CachedAnswer): HeaderList {
  const { freshness, cached } = answer;
  if (cached?.is === 'stale') served.stale = cached.why;
  const list = commonHeaders(served);
  const isForNow = freshness?.isPartial || cached?.is === 'stale';
  addHeader(list, 'Cache-Control', isForNow ? 'no-store' : cacheControl(served, route));
  if (cached) addHeader(list, 'Cache-Status', CACHE_STATUS[cached.is]);
  if (answer.etag !== undefined) addHeader(list, 'ETag', answer.etag);
  if (freshness) {
    addHeader(list, served.serve.names.mirror, freshness.isPartial ? 'partial' : 'complete');
    if (freshness.checkedAt !== undefined) addHeader(list, served.serve.names.mirrorChecked, freshness.checkedAt);
  }
  if (answer.synthetic) addHeader(list, served.serve.names.synthetic, '1');
  return list;
}

/** `Cache-Status` (RFC 9211) of each outcome. */
const CACHE_STATUS: Readonly<Record<CacheOutcome['is'], string>> = {
  hit: 'macro; hit',
  miss: 'macro; fwd=miss',
  collapsed: 'macro; fwd=miss; collapsed',
  stale: 'macro; hit; detail=stale',
};

/** `Cache-Control` of a 200 or 304; see docs/interface-access.md#caching. */
function cacheControl({ context, windows }: ServedRequest, { endpoint, storable }: ServedRoute): string {
  if (!storable) return 'no-store';
  if (context?.class !== 'keyless') return 'private, max-age=0, must-revalidate';
  const untilStep = DELAY_STEP_SECONDS - (windows.second % DELAY_STEP_SECONDS);
  return `public, max-age=${endpoint.access.delayed ? untilStep : freshFor(endpoint, windows.second * 1000)}`;
}

/** The compressed bytes are cached beside the plain ones for the next caller. */
async function sendCompressed(
  served: ServedRequest,
  { answer, body }: { readonly answer: CachedAnswer; readonly body: Body },
  list: HeaderList,
): Promise<void> {
  try {
    answer.gzip = await compress(body);
    send(served, 200, list, answer.gzip);
  } catch (error) {
    fail(served, error);
  }
}

/** Manages what the server keeps for callers, after the checks of any request and of the body; never from a cache. */
export function manage(serve: ServeState, route: ServedRoute, request: FastifyRequest, reply: FastifyReply): void {
  const served = openRequest(serve, request, reply);
  served.endpoint = route.endpoint;
  perform(served, route).catch((error: unknown) => fail(served, error));
}

async function perform(served: ServedRequest, route: ServedRoute): Promise<void> {
  const { serve, request, now } = served;
  const { endpoint } = route;
  refuseLongUrl(served);
  const context = identify(served);
  const verb = WRITE_VERBS.find((one) => one === request.method.toLowerCase());
  const write = verb && endpoint.writes?.[verb];
  authorize(served, context, countedAs(route, write));
  const { args } = await argumentsOf(served, endpoint);
  const body = write?.body ? readPostedJson(write.body, bytesOf(request), request.headers['content-type']) : {};
  await noteFilterWords(served, body);
  await refuseOutsiders(served, route, args);
  const operation = OPERATIONS[`${endpoint.id} ${verb ?? 'get'}`];
  if (!operation || !serve.subscriptions) throw new Error(`Nobody answers ${request.method} ${endpoint.path}`);
  const call = { asking: { owner: context.name, now }, args, body };
  const answer = await operation(serve.subscriptions, call);
  const list = commonHeaders(served);
  addHeader(list, 'Cache-Control', 'no-store');
  send(served, write?.status ?? 200, list, answer === undefined ? '' : toJsonText(answer));
}

/** Warns of filter words that no table has: they are legal, and no event passes them. The stream reads the same words. */
async function noteFilterWords(served: ServedRequest, body: JsonObject): Promise<void> {
  const { serve, now } = served;
  const listed = (name: string) => (Array.isArray(body[name]) ? { [name]: body[name].join(',') } : {});
  const query = { ...listed('currencies'), ...listed('indicators') };
  if (Object.values(query).join('') === '') return;
  const { notes } = await serve.readArguments(stream, { path: {}, query }, now);
  served.oddities = [...(served.oddities ?? []), ...notes];
}

/** A write may have its own budget. */
function countedAs(
  { endpoint, counted }: ServedRoute,
  write: Write | undefined,
): Pick<ServedRoute, 'counted' | 'endpoint'> {
  const budget = write?.budget;
  return { counted, endpoint: budget === undefined ? endpoint : { ...endpoint, budget } };
}

interface Asked {
  readonly asking: Asking;
  readonly args: Args;
  readonly body: JsonObject;
}

type Operation = (subscriptions: Subscriptions, call: Asked) => Promise<JsonObject | undefined>;

const idOf = ({ args }: Asked) => String(args.subscription_id);

/** The effect of each verb of each endpoint. */
const OPERATIONS: Readonly<Record<`${string} ${'get' | WriteVerb}`, Operation>> = {
  'webhook_subscriptions get': (to, { asking }) => to.list(asking),
  'webhook_subscriptions post': (to, { asking, body }) => to.create(asking, body),
  'webhook_subscription get': (to, call) => to.show(call.asking, idOf(call)),
  'webhook_subscription patch': (to, call) => to.change(call.asking, idOf(call), call.body),
  'webhook_subscription delete': (to, call) => to.remove(call.asking, idOf(call)).then(() => undefined),
  'webhook_rotate_secret post': (to, call) => to.rotate(call.asking, idOf(call)),
  'webhook_deliveries get': (to, { asking, args }) => to.deliveries(asking, args),
};
