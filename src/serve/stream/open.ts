import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize, identify, refuseLongUrl } from '../access/authorize.ts';
import { refuseOutsiders } from '../access/refusal.ts';
import { fail } from '../reply/fail.ts';
import { addHeader } from '../reply/header-list.ts';
import { commonHeaders } from '../reply/send.ts';
import { argumentsOf, openRequest, type ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import type { ServeState } from '../state.ts';
import { inPieces, openingFrame, startOf } from './events.ts';
import { createSubscriber } from './feed.ts';

/** Opens a stream after the checks of any request; then headers, replay and feed. A HEAD gets headers alone. */
export function openStream(serve: ServeState, route: ServedRoute, request: FastifyRequest, reply: FastifyReply): void {
  const served = openRequest(serve, request, reply);
  served.endpoint = route.endpoint;
  served.edge = 'BYPASS';
  begin(served, route).catch((error: unknown) => fail(served, error));
}

async function begin(served: ServedRequest, route: ServedRoute): Promise<void> {
  refuseLongUrl(served);
  const context = identify(served);
  served.edge = 'BYPASS';
  authorize(served, context, route);
  const { args } = await argumentsOf(served, route.endpoint);
  await refuseOutsiders(served, route, args);
  const { serve, request, reply } = served;
  const { currencies, indicators, payload, max_age_ms: maxAge } = args;
  const filter = { currencies, indicators, payload, maxAge: typeof maxAge === 'number' ? maxAge : undefined };
  const parts = { ask: route.ask, journal: serve.journal };
  const startAsk = { filter, caller: context.caller, now: served.now };
  const start = await startOf(parts, {
    ...startAsk,
    lastEventId: lastEventIdOf(request, args.last_event_id),
    liveOnly: args.live_only === true,
  });
  const past = start.events.length > 0 ? inPieces(parts, startAsk, start.events) : undefined;
  const list = commonHeaders(served);
  addHeader(list, 'Content-Type', 'text/event-stream; charset=utf-8');
  addHeader(list, 'Cache-Control', 'no-store');
  addHeader(list, 'X-Accel-Buffering', 'no');
  if (start.synthetic) addHeader(list, serve.names.synthetic, '1');
  reply.hijack();
  reply.raw.writeHead(200, list);
  if (request.method === 'HEAD') return void reply.raw.end();
  const subscriber = createSubscriber(reply.raw, {
    filter,
    context: context,
    place: { cursor: start.cursor, position: start.position, from: start.from },
  });
  subscriber.say(openingFrame(serve.streamRetry));
  if (start.gap !== undefined) subscriber.say(start.gap);
  serve.feed.join(subscriber, past);
}

/** A browser that comes back sends the header; the query is for the first time. */
function lastEventIdOf({ headers }: FastifyRequest, query: unknown): string | undefined {
  const header = headers['last-event-id'];
  if (typeof header === 'string' && header.trim() !== '') return header.trim();
  return typeof query === 'string' && query !== '' ? query : undefined;
}
