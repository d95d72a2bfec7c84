import type { JsonObject } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { Delivery, Subscription } from '../../mirror/api/outbox.ts';

/** A subscription as the service answers it: times that are not there are left out, filters say null for all. */
export function subscriptionJson(subscription: Subscription): JsonObject {
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

/** The record of a delivery. */
export function deliveryJson(delivery: Delivery): JsonObject {
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
  };
}

const iso = (milliseconds: number) => isoSeconds(Math.floor(milliseconds / 1000));
