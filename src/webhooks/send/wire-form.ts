import type { JsonObject } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { Delivery, Subscription } from '../../mirror/api/outbox.ts';

/** A subscription as the service answers it: times that are not there are left out, filters say null for all. */
export function subscriptionJson(told: Subscription): JsonObject {
  return {
    id: told.id,
    url: told.url,
    status: told.status,
    events: ['announcement'],
    currencies: told.currencies ?? null,
    indicators: told.indicators ?? null,
    description: told.description ?? null,
    failure_count: told.failures,
    consecutive_failure_count: told.consecutiveFailures,
    success_count: told.successes,
    created_at: iso(told.createdAt),
    ...(told.updatedAt !== undefined && { updated_at: iso(told.updatedAt) }),
    ...(told.disabledAt !== undefined && { disabled_at: iso(told.disabledAt) }),
    ...(told.disabledReason !== undefined && { disabled_reason: told.disabledReason }),
  };
}

/** The record of a delivery. */
export function deliveryJson(told: Delivery): JsonObject {
  return {
    id: told.id,
    subscription_id: told.subscription,
    event_id: told.event,
    event: 'announcement',
    status: told.status,
    attempt_count: told.attempts,
    last_status_code: told.lastStatus ?? null,
    last_error: told.lastError ?? null,
    delivered_at: told.deliveredAt === undefined ? null : iso(told.deliveredAt),
  };
}

const iso = (milliseconds: number) => isoSeconds(Math.floor(milliseconds / 1000));
