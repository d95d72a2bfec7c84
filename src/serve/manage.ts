import type { FastifyReply, FastifyRequest } from 'fastify';
import { WRITE_VERBS, type Write, type WriteVerb } from '../contract/endpoint.ts';
import { type JsonObject, toJsonText } from '../contract/json/json.ts';
import type { Args } from '../contract/params/params.ts';
import { readPostedJson } from '../contract/params/post.ts';
import type { Asking, Subscriptions } from '../webhooks/send/subscriptions.ts';
import { authorize, identify, refuseLongUrl } from './access/authorize.ts';
import { refuseOutsiders } from './access/refusal.ts';
import { fail } from './reply/fail.ts';
import { addHeader } from './reply/header-list.ts';
import { commonHeaders, send } from './reply/send.ts';
import { argumentsOf, bytesOf, openRequest, type ServedRequest } from './request.ts';
import type { ServedRoute } from './routes.ts';
import type { ServeState } from './state.ts';

/**
 * Answers a request about what the server keeps for its callers. Walk: the checks of any other request, in their order;
 * what is wrong with the body; who may; then it is done at once, and never answered from a memory.
 */
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
  const args = await argumentsOf(served, endpoint);
  const body = write?.body ? readPostedJson(write.body, bytesOf(request), request.headers['content-type']) : {};
  await refuseOutsiders(served, route, args);
  const operation = OPERATIONS[`${endpoint.id} ${verb ?? 'get'}`];
  if (!operation || !serve.subscriptions) throw new Error(`Nobody answers ${request.method} ${endpoint.path}`);
  const call = { asking: { owner: context.name, now }, args, body };
  const answer = await operation(serve.subscriptions, call);
  const list = commonHeaders(served);
  addHeader(list, 'Cache-Control', 'no-store');
  send(served, write?.status ?? 200, list, answer === undefined ? '' : toJsonText(answer));
}

/** What is written may have a budget of its own. */
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

/** What each verb of each endpoint does. */
const OPERATIONS: Readonly<Record<`${string} ${'get' | WriteVerb}`, Operation>> = {
  'webhook_subscriptions get': (to, { asking }) => to.list(asking),
  'webhook_subscriptions post': (to, { asking, body }) => to.create(asking, body),
  'webhook_subscription get': (to, call) => to.show(call.asking, idOf(call)),
  'webhook_subscription patch': (to, call) => to.change(call.asking, idOf(call), call.body),
  'webhook_subscription delete': (to, call) => to.remove(call.asking, idOf(call)).then(() => undefined),
  'webhook_rotate_secret post': (to, call) => to.rotate(call.asking, idOf(call)),
  'webhook_deliveries get': (to, { asking, args }) => to.deliveries(asking, args),
};
