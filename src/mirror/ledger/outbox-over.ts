import type { Outbox } from '../api/outbox.ts';
import { once } from '../core/once.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import type { OpenFile } from '../sqlite/open-file.ts';
import { deliveryStatements } from './outbox-deliveries.ts';
import { subscriptionStatements } from './outbox-subscriptions.ts';

/** The outbox of an open file; its statements are made when it is first asked, since most programs never do. */
export function outboxOver(db: SqliteConnection, file: OpenFile): Outbox {
  const statements = once(() => ({ ...subscriptionStatements(db), ...deliveryStatements(db) }));
  const run = async <T>(work: (to: ReturnType<typeof statements>) => T): Promise<T> =>
    file.run(() => work(statements()));
  return {
    addSubscription: (subscription, most) => run((to) => to.addSubscription(subscription, most)),
    subscriptions: (owner) => run((to) => to.subscriptions(owner)),
    subscription: (id) => run((to) => to.subscription(id)),
    changeSubscription: (id, change, at) => run((to) => to.changeSubscription(id, change, at)),
    removeSubscription: (id) => run((to) => to.removeSubscription(id)),
    deliveries: (ask) => run((to) => to.deliveries(ask)),
    position: () => run((to) => to.position()),
    enqueue: (deliveries, position, at) => run((to) => to.enqueue(deliveries, position, at)),
    due: () => run((to) => to.due()),
    claim: (claim) => run((to) => to.claim(claim)),
    settle: (attempts) => run((to) => to.settle(attempts)),
    release: (holder, at) => run((to) => to.release(holder, at)),
    forgetDeliveries: (before) => run((to) => to.forgetDeliveries(before)),
  };
}
