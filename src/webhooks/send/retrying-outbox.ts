import type { Outbox } from '../../mirror/api/outbox.ts';
import { type RetryPolicy, retrying } from '../../mirror/core/retrying.ts';
import type { Clock } from '../../platform/platform.ts';

const PATIENCE: RetryPolicy = { pause: 100, longest: 5_000 };

/**
 * An outbox that waits while another program writes the mirror. The engine itself may wait for a moment only: it keeps the
 * whole server standing still meanwhile, and a sync commits page after page.
 */
export function retryingOutbox(outbox: Outbox, clock: Pick<Clock, 'now' | 'sleep'>): Outbox {
  const patiently = <T>(work: () => Promise<T>): Promise<T> => retrying(clock, work, PATIENCE);
  return {
    addSubscription: (subscription, most) => patiently(() => outbox.addSubscription(subscription, most)),
    subscriptions: (owner) => patiently(() => outbox.subscriptions(owner)),
    subscription: (id) => patiently(() => outbox.subscription(id)),
    changeSubscription: (id, change, at) => patiently(() => outbox.changeSubscription(id, change, at)),
    removeSubscription: (id) => patiently(() => outbox.removeSubscription(id)),
    deliveries: (ask) => patiently(() => outbox.deliveries(ask)),
    position: () => patiently(() => outbox.position()),
    enqueue: (deliveries, position, at) => patiently(() => outbox.enqueue(deliveries, position, at)),
    due: () => patiently(() => outbox.due()),
    claim: (claim) => patiently(() => outbox.claim(claim)),
    settle: (attempts) => patiently(() => outbox.settle(attempts)),
    release: (holder, at) => patiently(() => outbox.release(holder, at)),
    forgetDeliveries: (before) => patiently(() => outbox.forgetDeliveries(before)),
  };
}
