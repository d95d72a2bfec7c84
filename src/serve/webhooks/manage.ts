import type { FastifyReply, FastifyRequest } from 'fastify';
import { type JsonObject, toJsonText } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import { readPostedJson } from '../../contract/params/post.ts';
import { WRITE_VERBS, type Write, type WriteVerb } from '../../contract/write.ts';
import type { Asking, Subscriptions } from '../../webhooks/send/subscriptions.ts';
import { authorize, identify, refuseLongUrl } from '../access/authorize.ts';
import { refuseOutsiders } from '../access/refusal.ts';
import { argumentsOf, bytesOf } from '../raw-arguments.ts';
import { fail } from '../reply/fail.ts';
import { addHeader } from '../reply/header-list.ts';
import { commonHeaders, send } from '../reply/send.ts';
import { openRequest, type ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import type { ServeState } from '../state.ts';

/**
 * Answers a request about what the server keeps for its callers. Walk: the checks of any other request, in their order;
 * what is wrong with the body; who may; then it is done at once, and never answered from a memory.
 */
export function manage(serve: ServeState, route: ServedRoute, request: FastifyRequest, reply: FastifyReply): void {
  const exchange = openRequest(serve, request, reply);
  exchange.endpoint = route.endpoint;
  perform(exchange, route).catch((error: unknown) => fail(exchange, error));
}

async function perform(exchange: ServedRequest, route: ServedRoute): Promise<void> {
  const { serve, request, now } = exchange;
  const { endpoint } = route;
  refuseLongUrl(exchange);
  const visitor = identify(exchange);
  const verb = WRITE_VERBS.find((one) => one === request.method.toLowerCase());
  const write = verb && endpoint.writes?.[verb];
  authorize(exchange, visitor, countedAs(route, write));
  const args = await argumentsOf(exchange, endpoint);
  const body = write?.body ? readPostedJson(write.body, bytesOf(request), request.headers['content-type']) : {};
  await refuseOutsiders(exchange, route, args);
  const operation = OPERATIONS[`${endpoint.id} ${verb ?? 'get'}`];
  if (!operation || !serve.subscriptions) throw new Error(`Nobody answers ${request.method} ${endpoint.path}`);
  const asked = { asking: { owner: visitor.name, now }, args, body };
  const answer = await operation(serve.subscriptions, asked);
  const list = commonHeaders(exchange);
  addHeader(list, 'Cache-Control', 'no-store');
  send(exchange, write?.status ?? 200, list, answer === undefined ? '' : toJsonText(answer));
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

type Operation = (subscriptions: Subscriptions, asked: Asked) => Promise<JsonObject | undefined>;

const idOf = ({ args }: Asked) => String(args.subscription_id);

/** What each verb of each endpoint does. */
const OPERATIONS: Readonly<Record<`${string} ${'get' | WriteVerb}`, Operation>> = {
  'webhook_subscriptions get': (to, { asking }) => to.list(asking),
  'webhook_subscriptions post': (to, { asking, body }) => to.create(asking, body),
  'webhook_subscription get': (to, asked) => to.show(asked.asking, idOf(asked)),
  'webhook_subscription patch': (to, asked) => to.change(asked.asking, idOf(asked), asked.body),
  'webhook_subscription delete': (to, asked) => to.remove(asked.asking, idOf(asked)).then(() => undefined),
  'webhook_rotate_secret post': (to, asked) => to.rotate(asked.asking, idOf(asked)),
  'webhook_deliveries get': (to, { asking, args }) => to.deliveries(asking, args),
};
