import type {
  Attempt,
  ClaimedDelivery,
  DeliveriesAsk,
  Delivery,
  DeliveryClaim,
  NewDelivery,
  Outbox,
} from '../api/outbox.ts';
import type { LedgerSchema } from '../rules/ledger.ts';
import { moveConsumer, readConsumers } from './journal.ts';
import {
  addSubscription,
  changeSubscription,
  disable,
  FOLLOWER,
  readSubscriptions,
  removeSubscription,
  subscriptionById,
} from './outbox-subscriptions.ts';
import { type LedgerAccess, type LedgerWork, onlyRow, statement } from './statement.ts';

type DeliveryRow = LedgerSchema['deliveries'];
type Noted = Pick<DeliveryRow, 'id' | 'status' | 'last_status' | 'last_error' | 'due_at' | 'delivered_at'>;

const note = statement(({ query }, { id, claimedBy, ...noted }: Noted & { readonly claimedBy: string }) =>
  query
    .updateTable('deliveries')
    .set((to) => ({ ...noted, attempts: to('attempts', '+', 1), holder: null }))
    .where('id', '=', id)
    .where('holder', '=', claimedBy)
    .returning('subscription'),
);

const succeed = statement(({ query }, { id }: { id: string }) =>
  query
    .updateTable('subscriptions')
    .set((to) => ({ successes: to('successes', '+', 1), consecutive_failures: 0, failing_since: null }))
    .where('id', '=', id),
);

const fail = statement(({ query }, { id, ended, at }: { id: string; ended: number; at: number }) =>
  query
    .updateTable('subscriptions')
    .set((to) => ({
      failures: to('failures', '+', ended),
      consecutive_failures: to('consecutive_failures', '+', ended),
      failing_since: to.fn.coalesce('failing_since', to.cast<number>(to.val(at), 'bigint')),
    }))
    .where('id', '=', id)
    .returning(['consecutive_failures', 'failing_since']),
);

// Deliveries from the event to the last attempt. An open one has a time at which it is due: of a claim, when it runs out.

/** Deliveries that one transaction forgets. */
const OLDEST = 1_000;

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
const dueDeliveries = statement(({ query }) =>
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

const openDeliveries = statement(({ query }) =>
  query
    .selectFrom('deliveries')
    .select((from) => [from.fn.countAll<number>().as('count'), from.fn.min<number | null>('created_at').as('oldest')])
    .where('due_at', 'is not', null),
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
    enqueue: (deliveries, position, at, event) =>
      change((now = at) => enqueue(deliveries, { position, moved_at: now }, event)),
    due: (at = 0) => read((now = at) => dueSince(now - at)),
    backlog: (at) => read((now = at) => backlogAt(now)),
    claim: (claim) => change((now = claim.now) => claimDeliveries(later(claim, now - claim.now))),
    settle: (attempts) => change((now) => settleAttempts(attempts, now)),
    release: (holder, at) => changeOnce((now = at) => releaseDeliveries(holder, now)),
    async forgetDeliveries(before) {
      while ((await changeOnce(() => forgetOldest(before))) === OLDEST);
    },
  };
}

// Hosts that share a server have clocks of their own: each time that another host will compare is one of the server's.

/** When deliveries are due by the clock of whoever asks; the server's is `ahead` of it, in milliseconds. */
function* dueSince(ahead: number): LedgerWork<readonly { readonly subscription: string; readonly at: number }[]> {
  return (yield* dueDeliveries({})).map(({ subscription, at }) => ({ subscription, at: at - ahead }));
}

function* backlogAt(now: number): LedgerWork<{ readonly deliveries: number; readonly oldestMs: number }> {
  const { count, oldest } = onlyRow(yield* openDeliveries({}));
  return { deliveries: count, oldestMs: oldest === null ? 0 : Math.max(0, now - oldest) };
}

function later(claim: DeliveryClaim, by: number): DeliveryClaim {
  return { ...claim, now: claim.now + by, until: claim.until + by };
}

function settledAt(attempt: Attempt, now: number): Attempt {
  const { result, at } = attempt;
  return { ...attempt, at: now, result: result.kind === 'retry' ? { ...result, at: result.at - at + now } : result };
}

/** Notes attempts in their deliveries and in the books of the subscriptions, and disables the one that failed too often. */
function* settleAttempts(attempts: readonly Attempt[], now?: number): LedgerWork<void> {
  for (const attempt of attempts) yield* settle(now === undefined ? attempt : settledAt(attempt, now));
}

function* settle({ delivery, holder, at, status, result, limits }: Attempt): LedgerWork<void> {
  const isDone = result.kind === 'succeeded';
  const [noted] = yield* note({
    id: delivery,
    claimedBy: holder,
    status: result.kind === 'retry' ? 'retrying' : result.kind,
    last_status: status ?? null,
    last_error: isDone ? null : result.error,
    due_at: result.kind === 'retry' ? result.at : null,
    delivered_at: isDone ? at : null,
  });
  if (!noted) return;
  const id = noted.subscription;
  if (isDone) return void (yield* succeed({ id }));
  const [subscription] = yield* fail({ id, ended: result.kind === 'failed' ? 1 : 0, at });
  const why = (result.kind === 'failed' && result.disables) || (subscription && tooMuch(subscription, at, limits));
  if (why) yield* disable(id, why, at);
}

/** Why a subscription that failed so often is disabled; undefined when it is not. */
function tooMuch(
  subscription: Pick<LedgerSchema['subscriptions'], 'consecutive_failures' | 'failing_since'>,
  at: number,
  { failures, streak }: Attempt['limits'],
): string | undefined {
  if (subscription.consecutive_failures >= failures) return 'consecutive_failures';
  return subscription.failing_since !== null && at - subscription.failing_since >= streak
    ? 'failing_too_long'
    : undefined;
}

function* readDeliveries(ask: DeliveriesAsk): LedgerWork<readonly Delivery[]> {
  return (yield* list(ask)).map(toDelivery);
}

/** Position of the journal up to which deliveries were made. */
function* outboxPosition(): LedgerWork<number> {
  const [follower] = yield* readConsumers(FOLLOWER);
  return follower?.position ?? 0;
}

function* enqueue(
  deliveries: readonly NewDelivery[],
  follower: { readonly position: number; readonly moved_at: number },
  event: string | undefined,
): LedgerWork<void> {
  for (const delivery of deliveries) yield* add({ ...delivery, at: follower.moved_at });
  yield* moveConsumer({ name: FOLLOWER, ...follower }, event);
}

function* claimDeliveries({ destinations, holder, now, until }: DeliveryClaim): LedgerWork<readonly ClaimedDelivery[]> {
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

function* releaseDeliveries(holder: string, at: number): LedgerWork<void> {
  yield* release({ holder, at });
}

/** Forgets some of the deliveries that were made before a moment; gives how many. */
function* forgetOldest(before: number): LedgerWork<number> {
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
