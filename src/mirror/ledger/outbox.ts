import type { Outbox } from '../api/outbox.ts';
import { settleAttempts } from './outbox-attempts.ts';
import {
  claimDeliveries,
  dueDeliveries,
  enqueue,
  forgetOldest,
  OLDEST,
  outboxPosition,
  readDeliveries,
  releaseDeliveries,
} from './outbox-deliveries.ts';
import {
  addSubscription,
  changeSubscription,
  readSubscriptions,
  removeSubscription,
  subscriptionById,
} from './outbox-subscriptions.ts';
import type { LedgerAccess } from './statements/execute.ts';

/** The outbox of a mirror of any engine. */
export function createOutbox({ read, change, changeOnce }: LedgerAccess): Outbox {
  return {
    addSubscription: (subscription, most) => change(() => addSubscription(subscription, most)),
    subscriptions: (owner) => read(() => readSubscriptions(owner)),
    subscription: (id) => read(() => subscriptionById(id)),
    changeSubscription: (id, changed, at) => change(() => changeSubscription(id, changed, at)),
    removeSubscription: (id) => changeOnce(() => removeSubscription(id)),
    deliveries: (ask) => read(() => readDeliveries(ask)),
    position: () => read(outboxPosition),
    enqueue: (deliveries, position, at) => change(() => enqueue(deliveries, position, at)),
    due: () => read(() => dueDeliveries({})),
    claim: (claim) => change(() => claimDeliveries(claim)),
    settle: (attempts) => change(() => settleAttempts(attempts)),
    release: (holder, at) => changeOnce(() => releaseDeliveries(holder, at)),
    async forgetDeliveries(before) {
      while ((await changeOnce(() => forgetOldest(before))) === OLDEST);
    },
  };
}
