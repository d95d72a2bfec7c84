import type { NewSubscription, Outbox, SubscriptionChange } from '../../api/outbox.ts';
import { FOLLOWER, subscriptionTexts, toSubscription } from '../../ledger/outbox-subscriptions.ts';
import type { ServerConnection } from '../connection.ts';
import type { ServerReading } from '../rows/reader.ts';
import type { Writing } from '../writing.ts';
import { createDeliveries, disable } from './deliveries.ts';
import { newestPosition } from './journal.ts';

/** The outbox of a mirror on a server. */
export function createOutbox(reading: ServerReading, writing: Pick<Writing, 'change'>): Outbox {
  const { change } = writing;
  return {
    ...createDeliveries(reading, writing),
    addSubscription: (subscription, most) => change((seat) => add(seat, subscription, most)),
    subscriptions: (owner) =>
      reading(async ({ ledger }) => {
        const all = ledger.selectFrom('subscriptions').selectAll().orderBy('number', 'desc');
        return (await (owner === undefined ? all : all.where('owner', '=', owner)).execute()).map(toSubscription);
      }),
    subscription: (id) => reading((seat) => subscriptionOf(seat, id)),
    changeSubscription: (id, changed, at) => change((seat) => alter(seat, id, { changed, at })),
    removeSubscription: (id) =>
      change(async ({ ledger }) => {
        const removed = await ledger.deleteFrom('subscriptions').where('id', '=', id).returning('id').execute();
        return removed.length > 0;
      }),
  };
}

async function subscriptionOf({ ledger }: ServerConnection, id: string) {
  const row = await ledger.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toSubscription(row);
}

async function add(seat: ServerConnection, subscription: NewSubscription, most: number): Promise<boolean> {
  const { ledger } = seat;
  const { id, owner, url, createdAt } = subscription;
  const held = await ledger.selectFrom('subscriptions').select('id').where('owner', '=', owner).execute();
  if (held.length >= most) return false;
  const since = await newestPosition(seat);
  // Nobody has followed the journal before the first subscription: what lies behind concerns none.
  await ledger
    .insertInto('consumers')
    .values({ name: FOLLOWER, position: since, moved_at: createdAt })
    .onConflict((on) => on.doNothing())
    .execute();
  await ledger
    .insertInto('subscriptions')
    .values({ id, owner, url, ...subscriptionTexts(subscription), since, created_at: createdAt })
    .execute();
  return true;
}

async function alter(
  seat: ServerConnection,
  id: string,
  { changed: { status, reason, ...changed }, at }: { changed: SubscriptionChange; at: number },
) {
  const before = await subscriptionOf(seat, id);
  if (!before) return undefined;
  const after = { ...before, ...changed };
  const begun = status === 'active' && {
    ...{ status, consecutive_failures: 0, failing_since: null, disabled_at: null, disabled_reason: null },
    ...(before.status !== 'active' && { since: await newestPosition(seat) }),
  };
  await seat.ledger
    .updateTable('subscriptions')
    .set({ url: after.url, ...subscriptionTexts(after), updated_at: at, ...begun })
    .where('id', '=', id)
    .execute();
  if (status === 'disabled' && before.status === 'active')
    await disable(seat, id, { reason: reason ?? 'requested', at });
  return subscriptionOf(seat, id);
}
