import type { JsonObject } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { DeliveriesAsk, Delivery, Outbox, Subscription, SubscriptionChange } from '../../mirror/api/outbox.ts';
import type { Random } from '../../platform/platform.ts';
import type { SigningSecrets } from '../signing-secrets.ts';
import { checkDestination, type GuardParts } from './guard.ts';

/** Subscriptions of one key, and the time deliveries are listed. See docs/interface-events.md#webhook-subscriptions. */
const MAX_SUBSCRIPTIONS = 10;
export const DELIVERIES_KEPT = 30 * 86_400_000;

/** Who manages, and when (milliseconds). */
export interface Asking {
  readonly owner: string;
  readonly now: number;
}

/** Management of subscriptions, as the service offers it. Bodies fit the contract; answers are those of the wire. */
export interface Subscriptions {
  create(asking: Asking, body: JsonObject): Promise<JsonObject>;
  list(asking: Asking): Promise<JsonObject>;
  show(asking: Asking, id: string): Promise<JsonObject>;
  change(asking: Asking, id: string, body: JsonObject): Promise<JsonObject>;
  remove(asking: Asking, id: string): Promise<void>;
  rotate(asking: Asking, id: string): Promise<JsonObject>;
  deliveries(asking: Asking, args: Args): Promise<JsonObject>;
}

interface SubscriptionsParts {
  readonly outbox: Outbox;
  readonly secrets: SigningSecrets;
  readonly guard: GuardParts;
  readonly random: Pick<Random, 'bytes'>;
  readonly flush: Mirror['flush'];
}

export function createSubscriptions({ outbox, secrets, guard, random, flush }: SubscriptionsParts): Subscriptions {
  /** A change is on the disk before it is answered. */
  const kept = async <T>(changed: T): Promise<T> => {
    await flush();
    return changed;
  };
  const owned = async ({ owner }: Asking, id: string) => {
    const found = await outbox.subscription(id);
    // Nobody can tell whether an id belongs to another key or does not exist.
    if (found?.owner !== owner) throw unknownSubscription(id);
    return found;
  };
  return {
    async create({ owner, now }, body) {
      const url = String(body.url);
      await refuseBadDestination(url, guard);
      const id = newId(random);
      // The secret is there before anything could be signed with it.
      const secret = await secrets.make(id);
      const request = {
        currencies: undefined,
        indicators: undefined,
        description: undefined,
        ...readChange(body),
        url,
      };
      if (!(await outbox.addSubscription({ ...request, id, owner, createdAt: now }, MAX_SUBSCRIPTIONS))) {
        await secrets.forget(id);
        throw new MacroError('usage', `A key has at most ${MAX_SUBSCRIPTIONS} webhook subscriptions.`, {
          status: 409,
          code: 'subscription_limit_reached',
        });
      }
      return kept({ ...subscriptionJson(await owned({ owner, now }, id)), signing_secret: secret });
    },
    async list({ owner }) {
      const data = (await outbox.subscriptions(owner)).map(subscriptionJson);
      return { data, count: data.length };
    },
    show: async (asking, id) => subscriptionJson(await owned(asking, id)),
    async change(asking, id, body) {
      await owned(asking, id);
      const change = readChange(body);
      if (change.url !== undefined) await refuseBadDestination(change.url, guard);
      const changed = await outbox.changeSubscription(id, change, asking.now);
      if (!changed) throw unknownSubscription(id);
      return kept(subscriptionJson(changed));
    },
    async remove(asking, id) {
      await owned(asking, id);
      await outbox.removeSubscription(id);
      await secrets.forget(id);
      return kept(undefined);
    },
    async rotate(asking, id) {
      await owned(asking, id);
      const secret = await secrets.make(id);
      const changed = await outbox.changeSubscription(id, {}, asking.now);
      if (!changed) throw unknownSubscription(id);
      return kept({ ...subscriptionJson(changed), signing_secret: secret });
    },
    async deliveries({ owner, now }, args) {
      const { subscription_id: subscription, status, limit } = args;
      const ask: DeliveriesAsk = {
        owner,
        since: now - DELIVERIES_KEPT,
        limit: Number(limit),
        ...(typeof subscription === 'string' && { subscription }),
        // The contract's own choice of words has read it.
        ...(typeof status === 'string' && { status: status as Delivery['status'] }),
      };
      const data = (await outbox.deliveries(ask)).map(deliveryJson);
      return { count: data.length, data };
    },
  };
}

/** A destination that may not be delivered to; see docs/interface-events.md#webhook-destinations. */
async function refuseBadDestination(url: string, guard: GuardParts): Promise<void> {
  const checked = await checkDestination(url, guard);
  if (!('reason' in checked)) return;
  throw new MacroError('usage', checked.detail, {
    status: 400,
    code: 'invalid_webhook_destination',
    extra: { reason: checked.reason },
  });
}

function unknownSubscription(id: string): MacroError {
  return new MacroError('notFound', `There is no webhook subscription ${id}.`, {
    status: 404,
    code: 'unknown_resource',
  });
}

/** The changes of a body of the contract. There is one event kind, so `events` decides nothing. */
function readChange(body: JsonObject): SubscriptionChange {
  const { url, description, status } = body;
  return {
    ...(typeof url === 'string' && { url }),
    ...(Object.hasOwn(body, 'currencies') && { currencies: readFilter(body.currencies) }),
    ...(Object.hasOwn(body, 'indicators') && { indicators: readFilter(body.indicators) }),
    ...(Object.hasOwn(body, 'description') && {
      description: typeof description === 'string' ? description : undefined,
    }),
    ...((status === 'active' || status === 'disabled') && { status }),
  };
}

function readFilter(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? [...new Set(list.map((word) => String(word).toLowerCase()))] : undefined;
}

/** Crockford's base32 without letters that look like digits, in lower case. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

function newId(random: Pick<Random, 'bytes'>): string {
  return `sub_${[...random.bytes(16)].map((byte) => LETTERS[byte & 31]).join('')}`;
}

/** A subscription as the service answers it: times that are not there are left out, filters say null for all. */
function subscriptionJson(subscription: Subscription): JsonObject {
  return {
    id: subscription.id,
    url: subscription.url,
    status: subscription.status,
    events: ['announcement'],
    currencies: subscription.currencies ?? null,
    indicators: subscription.indicators ?? null,
    description: subscription.description ?? null,
    failure_count: subscription.failures,
    consecutive_failure_count: subscription.consecutiveFailures,
    success_count: subscription.successes,
    created_at: iso(subscription.createdAt),
    ...(subscription.updatedAt !== undefined && { updated_at: iso(subscription.updatedAt) }),
    ...(subscription.disabledAt !== undefined && { disabled_at: iso(subscription.disabledAt) }),
    ...(subscription.disabledReason !== undefined && { disabled_reason: subscription.disabledReason }),
  };
}

function deliveryJson(delivery: Delivery): JsonObject {
  return {
    id: delivery.id,
    subscription_id: delivery.subscription,
    event_id: delivery.event,
    event: 'announcement',
    status: delivery.status,
    attempt_count: delivery.attempts,
    last_status_code: delivery.lastStatus ?? null,
    last_error: delivery.lastError ?? null,
    delivered_at: delivery.deliveredAt === undefined ? null : iso(delivery.deliveredAt),
    ...(delivery.nextAt !== undefined && { next_attempt_at: iso(delivery.nextAt) }),
  };
}

const iso = (milliseconds: number) => isoSeconds(Math.floor(milliseconds / 1000));
