// The package as other programs import it. The exports of this file are public: test/library/surface.d.ts records its types.
import type { LiveReply } from '../client/client.ts';
import { createClientOver } from '../client/create.ts';
import { onlyVerified } from '../client/http/address.ts';
import { createWire, type Wire } from '../client/http/wire.ts';
import { write } from '../client/http/write.ts';
import { followStream } from '../client/stream/follow.ts';
import type { StreamMessage } from '../client/stream/messages.ts';
import { type Endpoint, WRITE_VERBS } from '../contract/endpoint.ts';
import { objectIn, readJson } from '../contract/json/json.ts';
import { INTERFACE } from '../endpoints/index.ts';
import { MacroError } from '../errors.ts';
import { nodePlatform } from '../platform/node.ts';
import type { Platform } from '../platform/platform.ts';
import type { HeaderPairs } from '../webhooks/receive/delivery-headers.ts';
import { verifyDelivery } from '../webhooks/receive/verify.ts';
import type {
  FollowEventsOptions,
  GivenHeaders,
  MacroClient,
  ServiceOptions,
  VerifiedWebhook,
  WebhookRequest,
} from './api/clients.ts';
import type { StreamEventsRow } from './api/endpoint-types.ts';
import type { Answer, CallOptions, StreamItem } from './api/methods.ts';
import type { MacroServer, MacroServerOptions } from './api/server.ts';
import { classed, classedItems, UsageError, VerificationError, withClass } from './errors.ts';
import { readGivenNumber, refuseUnknownOptions } from './given.ts';
import { type Answerer, type GivenArguments, makeMethod, methodName, readArguments } from './questions.ts';

export type { Missing, PartialMark } from '../contract/answer-members.ts';
export type { FaultRule } from '../serve/faults/fault.ts';
export type * from './api/clients.ts';
export type * from './api/endpoint-types.ts';
export type * from './api/methods.ts';
export type * from './api/server.ts';
export {
  AuthError,
  IncompleteError,
  InterruptedError,
  MirrorError,
  NotFoundError,
  ProtocolError,
  QuotaError,
  UpstreamError,
  UsageError,
  VerificationError,
} from './errors.ts';
export { openReadMirror as openMirror } from './mirror/open-mirror.ts';
export {
  createMacroServer,
  createServiceClient as createClient,
  followEvents,
  MacroError,
  verifyWebhookRequest as verifyWebhook,
};

interface StreamMethodParts extends Pick<Platform, 'clock' | 'random'> {
  readonly wire: Wire;
}

/**
 * A client of a service, with a method for each endpoint. It checks every answer against the interface, tries again what may
 * pass by itself, and never sends a key to another origin. Nothing is asked before the first call.
 *
 * @throws A UsageError or an AuthError for an address or a key that cannot be one.
 */
function createServiceClient(options: ServiceOptions): MacroClient {
  refuseUnknownOptions(options, SERVICE_OPTIONS);
  if (options.timeout !== undefined) readGivenNumber(options.timeout, 'timeout');
  const platform = nodePlatform();
  const wire = openWire(platform, options);
  const answerer = answererOf(wire);
  const methods = INTERFACE.map((endpoint) => [
    methodName(endpoint.id),
    methodOf(endpoint, { wire, answerer, platform }),
  ]);
  return Object.fromEntries(methods) as MacroClient; // the types are made from the same list
}

const SERVICE_OPTIONS = ['baseUrl', 'apiKey', 'headerPrefix', 'timeout'];

function openWire(platform: Platform, { baseUrl, apiKey, headerPrefix, timeout }: ServiceOptions): Wire {
  try {
    return createWire({
      platform: { ...platform, fetch: onlyVerified(platform) },
      ...{ baseUrl, key: apiKey, headerPrefix, deadline: timeout },
    });
  } catch (error) {
    throw withClass(error);
  }
}

interface MethodParts {
  readonly wire: Wire;
  readonly answerer: Answerer<CallOptions>;
  readonly platform: Platform;
}

function methodOf(endpoint: Endpoint, { wire, answerer, platform }: MethodParts): object {
  if (endpoint.body.kind === 'stream') return streamMethod(endpoint, { wire, ...platform });
  const asks = endpoint.writeOnly ? {} : makeMethod(endpoint, answerer);
  const verbs = WRITE_VERBS.filter((verb) => endpoint.writes?.[verb]);
  const writes = verbs.map((verb) => [
    verb,
    (given: GivenArguments, body?: unknown, options?: CallOptions) =>
      classed(() => {
        refuseUnknownOptions(options ?? {}, ['signal']);
        const { args } = readArguments({ ...endpoint, query: {} }, given, { now: wire.now() });
        const sent = body === undefined ? {} : { body: objectIn(body) };
        return write(wire, { endpoint, verb, args, ...sent, signal: options?.signal });
      }),
  ]);
  return Object.assign(asks, Object.fromEntries(writes));
}

function answererOf(wire: Wire): Answerer<CallOptions> {
  const client = createClientOver(wire);
  return {
    now: () => wire.now(),
    options: ['signal', 'allowPartial'],
    ask: async (endpoint, { sent: args }, options) => answerOf(await client.ask({ endpoint, args, ...options })),
    async *pages(endpoint, { sent: args }, options) {
      for await (const page of client.pages({ endpoint, args, ...options }))
        yield { ...answerOf(page), rows: page.cut.rows.map(({ value }) => value) };
    },
  };
}

function answerOf({ body, etag, synthetic, partial, notes }: LiveReply): Answer<unknown> {
  return { body: readJson(body), text: body, mirror: partial, synthetic, etag, notes };
}

/** The method of a stream: it gives what comes until the caller stops taking, or the service says that there is no more. */
function streamMethod(endpoint: Endpoint, parts: StreamMethodParts) {
  return (given: GivenArguments = {}, options: CallOptions = {}): AsyncIterable<StreamItem<unknown>> =>
    classedItems(async function* () {
      refuseUnknownOptions(options, ['signal']);
      const { signal } = options;
      const { sent, notes } = readArguments(endpoint, given, { now: parts.clock.now() });
      // It moves with each event, so it goes into the header of each connection and not into the address of all of them.
      const { last_event_id: last, ...parameters } = sent;
      const begin = typeof last === 'string' ? { lastEventId: last } : {};
      for await (const message of followStream(parts, {
        endpoint,
        args: parameters,
        ...begin,
        ...(signal && { signal }),
      })) {
        const item = itemOf(message, notes);
        if (item) yield item;
      }
    });
}

function itemOf(message: StreamMessage, notes: readonly string[]): StreamItem<unknown> | undefined {
  switch (message.kind) {
    case 'beat':
      return undefined;
    case 'event': {
      const { row, synthetic } = message;
      return { kind: 'event', id: String(row.value.event_id), event: row.value, text: row.text, synthetic };
    }
    case 'unreadable':
      // An unreadable event is missing, like an event that never came.
      return { kind: 'gap', reason: 'unreadable' };
    case 'open':
      return { kind: 'open', notes };
    default:
      return message;
  }
}

/**
 * Follows the release events of a service. It reconnects by itself and continues after the last received event. Where
 * events may be missing it gives a `gap`: then ask the method `announcementsChanges` for them.
 */
function followEvents(options: FollowEventsOptions): AsyncIterable<StreamItem<StreamEventsRow>> {
  refuseUnknownOptions(options, [...SERVICE_OPTIONS, 'currencies', 'indicators', 'lastEventId', 'signal']);
  const { currencies, indicators, lastEventId, signal, ...service } = options;
  const query = {
    ...(currencies && { currencies }),
    ...(indicators && { indicators }),
    ...(lastEventId !== undefined && { last_event_id: lastEventId }),
  };
  return createServiceClient(service).streamEvents(query, signal && { signal });
}

/**
 * Checks that a webhook was signed with the secret, within five minutes of now. Answer with 2xx once the event is
 * stored, and with 401 when this throws.
 *
 * @throws A VerificationError whose `code` names the reason.
 */
function verifyWebhookRequest(delivery: WebhookRequest): VerifiedWebhook {
  refuseUnknownOptions(delivery, ['headers', 'body', 'secret', 'now']);
  const { headers, body, secret, now } = delivery;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const secrets = [secret].flat();
  // Anybody can sign with an empty secret.
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one.trim() === ''))
    throw new UsageError('No signing secret is given.', { hint: 'A new subscription shows its secret once.' });
  const at = now?.getTime() ?? nodePlatform().clock.now();
  const verdict = verifyDelivery({ headers: pairsOf(headers), body: bytes }, { secrets, now: Math.floor(at / 1000) });
  if (!verdict.ok)
    throw new VerificationError(`The delivery is refused: ${verdict.detail}.`, {
      code: verdict.reason,
      status: 401,
      hint: 'Check the secret and the clock, and that the body is the exact bytes that came.',
    });
  const { eventId: id, event, deliveryId, synthetic } = verdict.headers;
  return { id, event, deliveryId, synthetic, body: verdict.body };
}

function pairsOf(headers: GivenHeaders): HeaderPairs {
  if (isIterable(headers)) return [...headers];
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, one] as const),
  );
}

function isIterable(headers: GivenHeaders): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}

/**
 * Starts a server that answers like the service, for tests of a client. It listens on 127.0.0.1, its clock stands still, and
 * everything that it writes is gone when it is closed.
 */
async function createMacroServer(options?: MacroServerOptions): Promise<MacroServer> {
  // A program that only asks a service loads no server.
  const { startMacroServer } = await import('./server/start-macro-server.ts');
  return startMacroServer(options);
}
