import type { ClaimedDelivery, DeliveriesAsk, Delivery, DeliveryClaim, NewDelivery } from '../api/outbox.ts';
import { moveConsumer, readConsumers } from './journal-followers.ts';
import type { LedgerSchema } from './ledger.ts';
import { FOLLOWER } from './outbox-subscriptions.ts';
import { type LedgerWork, onlyRow, statement } from './statements/statement.ts';

// Deliveries from the event to the last attempt. An open one has a time at which it is due: of a claim, when it runs out.

/** Deliveries that one transaction forgets. */
export const OLDEST = 1_000;

const list = statement(({ query }, { owner, subscription, status, since, limit }: DeliveriesAsk) => {
  let matching = query
    .selectFrom('deliveries')
    .innerJoin('subscriptions', 'subscriptions.id', 'deliveries.subscription')
    .selectAll('deliveries')
    .where('owner', '=', owner)
    .where('deliveries.created_at', '>=', since);
  if (subscription !== undefined) matching = matching.where('subscription', '=', subscription);
  if (status !== undefined) matching = matching.where('deliveries.status', '=', status);
  return matching.orderBy('deliveries.number', 'desc').limit(limit);
});

const add = statement(({ query }, { id, subscription, event, position, body, at }: AddedDelivery) =>
  query
    .insertInto('deliveries')
    .columns(['id', 'subscription', 'event', 'body', 'due_at', 'created_at'])
    .expression(
      query
        .selectFrom('subscriptions')
        .select((from) => {
          // Unlike a list of values, a select does not take its types from the table.
          const time = from.cast<number>(from.val(at), 'bigint');
          return [
            from.val(id).as('id'),
            'subscriptions.id as subscription',
            from.val(event).as('event'),
            from.val(body).as('body'),
            time.as('due_at'),
            time.as('created_at'),
          ];
        })
        .where('id', '=', subscription)
        .where('status', '=', 'active')
        .where('since', '<', position),
    )
    .onConflict((on) => on.doNothing()),
);

type AddedDelivery = NewDelivery & { readonly at: number };

/** For each active subscription with open deliveries, when the next one is due. */
export const dueDeliveries = statement(({ query }) =>
  query
    .selectFrom((from) =>
      from
        .selectFrom('subscriptions')
        .select((of) => [
          'id as subscription',
          'number',
          of
            .selectFrom('deliveries')
            .select((next) => next.fn.min<number>('due_at').as('due'))
            .whereRef('deliveries.subscription', '=', 'subscriptions.id')
            .where('due_at', 'is not', null)
            .as('at'),
        ])
        .where('status', '=', 'active')
        .as('open'),
    )
    .select(['subscription', 'at'])
    .where('at', 'is not', null)
    .orderBy('number')
    .$narrowType<{ at: number }>(),
);

const activeUrl = statement(({ query }, { subscription }: { subscription: string }) =>
  query.selectFrom('subscriptions').select('url').where('id', '=', subscription).where('status', '=', 'active'),
);

const underWay = statement(({ query }, { subscription, now }: { subscription: string; now: number }) =>
  query
    .selectFrom('deliveries')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('subscription', '=', subscription)
    .where('due_at', '>', now)
    .where('holder', 'is not', null),
);

const take = statement(({ query }, { subscription, holder, now, until, room }: Taking) =>
  query
    .updateTable('deliveries')
    .set({ holder, due_at: until })
    .where('number', 'in', (from) =>
      from
        .selectFrom('deliveries')
        .select('number')
        .where('subscription', '=', subscription)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('number')
        .limit(room),
    )
    .returning(['id', 'subscription', 'event', 'body', 'attempts']),
);

type Taking = Omit<DeliveryClaim, 'destinations'> & { readonly subscription: string; readonly room: number };

const release = statement(({ query }, { holder, at }: { holder: string; at: number }) =>
  query
    .updateTable('deliveries')
    .set({ holder: null, due_at: at })
    .where('due_at', 'is not', null)
    .where('holder', '=', holder),
);

// Numbers follow the time, so what is old stands first and no index of times is needed.
const forget = statement(({ query }, { before }: { before: number }) =>
  query
    .deleteFrom('deliveries')
    .where('number', 'in', (from) => from.selectFrom('deliveries').select('number').orderBy('number').limit(OLDEST))
    .where('created_at', '<', before)
    .returning('number'),
);

export function* readDeliveries(ask: DeliveriesAsk): LedgerWork<readonly Delivery[]> {
  return (yield* list(ask)).map(toDelivery);
}

/** Position of the journal up to which deliveries were made. */
export function* outboxPosition(): LedgerWork<number> {
  const [follower] = yield* readConsumers(FOLLOWER);
  return follower?.position ?? 0;
}

export function* enqueue(deliveries: readonly NewDelivery[], position: number, at: number): LedgerWork<void> {
  for (const delivery of deliveries) yield* add({ ...delivery, at });
  yield* moveConsumer(FOLLOWER, position, at);
}

export function* claimDeliveries({
  destinations,
  holder,
  now,
  until,
}: DeliveryClaim): LedgerWork<readonly ClaimedDelivery[]> {
  const claimed: ClaimedDelivery[] = [];
  for (const { subscription, parallel } of destinations) {
    const [active] = yield* activeUrl({ subscription });
    if (!active) continue;
    const room = parallel - onlyRow(yield* underWay({ subscription, now })).count;
    if (room <= 0) continue;
    const taken = yield* take({ subscription, holder, now, until, room });
    claimed.push(...taken.map((one) => ({ ...one, url: active.url })));
  }
  return claimed;
}

export function* releaseDeliveries(holder: string, at: number): LedgerWork<void> {
  yield* release({ holder, at });
}

/** Forgets some of the deliveries that were made before a moment; gives how many. */
export function* forgetOldest(before: number): LedgerWork<number> {
  return (yield* forget({ before })).length;
}

function toDelivery(row: LedgerSchema['deliveries']): Delivery {
  return {
    id: row.id,
    subscription: row.subscription,
    event: row.event,
    status: row.status as Delivery['status'], // the table lets nothing else in
    attempts: row.attempts,
    lastStatus: row.last_status ?? undefined,
    lastError: row.last_error ?? undefined,
    deliveredAt: row.delivered_at ?? undefined,
  };
}
