import type { Endpoint } from '../contract/endpoint.ts';
import type { JsonObject, JsonText } from '../contract/json/json.ts';
import type { Args } from '../contract/params/params.ts';
import { MacroError } from '../errors.ts';
import { createClientOver } from './create.ts';
import { type Redacted, redact } from './http/key.ts';
import type { Wire } from './http/wire.ts';
import { write } from './http/write.ts';

interface ManagedEndpoints {
  readonly subscriptions: Endpoint;
  readonly subscription: Endpoint;
  readonly rotation: Endpoint;
  readonly deliveries: Endpoint;
}

/** The fields of a subscription; null filters stand for all. */
export interface SubscriptionOptions {
  readonly url?: string;
  readonly currencies?: readonly string[] | null;
  readonly indicators?: readonly string[] | null;
  readonly description?: string | null;
  readonly status?: 'active' | 'disabled';
}

/** A subscription with the secret of its signatures, which the service tells once. */
export interface Disclosed {
  /** The answer without the secret. */
  readonly subscription: JsonObject;
  readonly id: string;
  readonly secret: Redacted;
}

/** Webhook management at a service. The answers of lists are as they came, for whoever prints them. */
export interface Manager {
  create(options: SubscriptionOptions & { readonly url: string }): Promise<Disclosed>;
  list(): Promise<JsonText>;
  show(id: string): Promise<JsonText>;
  update(id: string, options: SubscriptionOptions): Promise<JsonObject>;
  enable(id: string): Promise<JsonObject>;
  disable(id: string): Promise<JsonObject>;
  delete(id: string): Promise<void>;
  /** A new secret; the old one is good for the deliveries that are under way. */
  rotate(id: string): Promise<Disclosed>;
  deliveries(args: Args): Promise<JsonText>;
}

export function createManager(wire: Wire, endpoints: ManagedEndpoints, signal?: AbortSignal): Manager {
  const { subscriptions, subscription, rotation, deliveries } = endpoints;
  const client = createClientOver(wire);
  const read = async (endpoint: Endpoint, args: Args) =>
    (await explained(client.ask({ endpoint, args, ...(signal && { signal }) }), endpoint)).body;
  const change = async (id: string, options: SubscriptionOptions) => {
    const args = { subscription_id: id };
    const request = { endpoint: subscription, verb: 'patch', args, body: bodyOf(options), signal } as const;
    return (await explained(write(wire, request), subscription)) ?? {};
  };
  return {
    async create(options) {
      const request = { endpoint: subscriptions, verb: 'post', args: {}, body: bodyOf(options), signal } as const;
      return disclosed(await explained(write(wire, request), subscriptions));
    },
    list: () => read(subscriptions, {}),
    show: (id) => read(subscription, { subscription_id: id }),
    update: change,
    enable: (id) => change(id, { status: 'active' }),
    disable: (id) => change(id, { status: 'disabled' }),
    async delete(id) {
      const request = { endpoint: subscription, verb: 'delete', args: { subscription_id: id }, signal } as const;
      await explained(write(wire, request), subscription);
    },
    async rotate(id) {
      const request = { endpoint: rotation, verb: 'post', args: { subscription_id: id }, signal } as const;
      return disclosed(await explained(write(wire, request), rotation));
    },
    deliveries: (args) => read(deliveries, args),
  };
}

/** The body with the given members; an omitted member stays unchanged. */
function bodyOf(options: SubscriptionOptions): JsonObject {
  return JSON.parse(JSON.stringify(options));
}

/** The secret leaves the answer at once, so that nothing that prints or keeps the rest can tell it. */
function disclosed(answer: JsonObject = {}): Disclosed {
  const { signing_secret: secret, ...subscription } = answer;
  const { id } = subscription;
  if (typeof id === 'string' && typeof secret === 'string' && secret !== '')
    return { subscription, id, secret: redact(secret) };
  throw new MacroError('protocol', 'The service sent no signing secret.', {
    code: 'unexpected_answer',
    hint: 'It may have been done anyway: check with macro webhooks list, then macro webhooks rotate-secret ID.',
  });
}

/** The faults of a destination. See docs/interface-events.md#webhook-destinations. */
const DESTINATION_HINTS: Readonly<Record<string, string>> = {
  invalid_url: 'Give a whole address like https://hooks.example.com/in.',
  not_https: 'Give an https address: deliveries are never sent in the clear.',
  embedded_credentials: 'Leave out the user name and password; the signature proves who sent a delivery.',
  fragment_not_allowed: 'Leave out what follows the #.',
  ip_literal: 'Give a host name instead of an IP address.',
  blocked_host: 'Give a host name that the whole internet knows.',
  port_not_allowed: 'Use port 443, or one from 1024 up.',
  unresolved_host: 'The host name cannot be found from the service: check its spelling and its DNS record.',
  private_address: 'The host name must lead to public addresses only.',
};

/** The hint for a refusal, where it differs from that of the question routes. */
function hintFor({ code, kind, extra }: MacroError, { at }: Endpoint): string | undefined {
  if (code === 'invalid_webhook_destination')
    return DESTINATION_HINTS[String(extra.reason)] ?? DESTINATION_HINTS.invalid_url;
  if (code === 'secret_elsewhere')
    return 'Copy the desk key to that machine (--desk-key FILE), or ask a machine that has it.';
  if (code === 'subscription_limit_reached') return 'Delete one first: macro webhooks list shows them.';
  if (kind !== 'notFound') return undefined;
  return Object.keys(at).length > 0 ? 'macro webhooks list shows which there are.' : 'This service has no webhooks.';
}

async function explained<T>(work: Promise<T>, endpoint: Endpoint): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const hint = error instanceof MacroError ? hintFor(error, endpoint) : undefined;
    if (!(error instanceof MacroError) || hint === undefined) throw error;
    const { kind, message, code, status, extra, cause } = error;
    const details = {
      hint,
      extra,
      cause,
      ...(code !== undefined && { code }),
      ...(status !== undefined && { status }),
    };
    throw new MacroError(kind, message, details);
  }
}
