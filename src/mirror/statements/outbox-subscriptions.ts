import { readJson } from '../../contract/json/json.ts';
import {
  type NewSubscription,
  SUBSCRIPTION_DISABLED,
  type Subscription,
  type SubscriptionChange,
} from '../api/outbox.ts';
import type { LedgerSchema } from '../rules/ledger.ts';
import { newestPosition } from './journal.ts';
import { type LedgerWork, onlyRow, statement } from './statement.ts';

type Row = LedgerSchema['subscriptions'];

/** The name under which the journal knows how far deliveries were made. */
export const FOLLOWER = 'webhooks';

const countOf = statement(({ query }, { owner }: { owner: string }) =>
  query
    .selectFrom('subscriptions')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('owner', '=', owner),
);

const beginToFollow = statement(({ query }, { position, at }: { position: number; at: number }) =>
  query
    .insertInto('consumers')
    .values({ name: FOLLOWER, position, moved_at: at })
    .onConflict((on) => on.doNothing()),
);

type Added = 'id' | 'owner' | 'url' | 'currencies' | 'indicators' | 'description' | 'since' | 'created_at';

const add = statement(({ query }, row: Pick<Row, Added>) => query.insertInto('subscriptions').values({ ...row }));

const byId = statement(({ query }, { id }: { id: string }) =>
  query.selectFrom('subscriptions').selectAll().where('id', '=', id),
);

const byOwner = statement(({ query }, { owner }: { owner?: string | undefined }) => {
  const all = query.selectFrom('subscriptions').selectAll().orderBy('number', 'desc');
  return owner === undefined ? all : all.where('owner', '=', owner);
});

type Changed = 'url' | 'currencies' | 'indicators' | 'description' | 'updated_at';

const update = statement(({ query }, { id, ...row }: Pick<Row, 'id' | Changed>) =>
  query.updateTable('subscriptions').set(row).where('id', '=', id),
);

const activate = statement(({ query }, { id, ...begins }: { id: string; since?: number | undefined }) =>
  query
    .updateTable('subscriptions')
    .set({
      ...{ status: 'active', consecutive_failures: 0, failing_since: null, disabled_at: null, disabled_reason: null },
      ...begins,
    })
    .where('id', '=', id),
);

const remove = statement(({ query }, { id }: { id: string }) =>
  query.deleteFrom('subscriptions').where('id', '=', id).returning('id'),
);

const endDeliveries = statement(({ query }, { id }: { id: string }) =>
  query
    .updateTable('deliveries')
    .set({ status: 'failed', last_error: SUBSCRIPTION_DISABLED, due_at: null, holder: null })
    .where('subscription', '=', id)
    .where('due_at', 'is not', null)
    .returning('number'),
);

const end = statement(
  ({ query }, { id, reason, at, failed }: { id: string; reason: string; at: number; failed: number }) =>
    query
      .updateTable('subscriptions')
      .set((to) => ({
        ...{ status: 'disabled', disabled_at: at, disabled_reason: reason },
        failures: to('failures', '+', failed),
      }))
      .where('id', '=', id),
);

export function* addSubscription(subscription: NewSubscription, most: number): LedgerWork<boolean> {
  const { id, owner, url, createdAt } = subscription;
  if (onlyRow(yield* countOf({ owner })).count >= most) return false;
  const since = yield* newestPosition();
  // Nobody has followed the journal before the first subscription: what lies behind concerns none.
  yield* beginToFollow({ position: since, at: createdAt });
  yield* add({ id, owner, url, ...textsOf(subscription), since, created_at: createdAt });
  return true;
}

export function* subscriptionById(id: string): LedgerWork<Subscription | undefined> {
  const [row] = yield* byId({ id });
  return row && toSubscription(row);
}

export function* readSubscriptions(owner?: string): LedgerWork<readonly Subscription[]> {
  return (yield* byOwner({ owner })).map(toSubscription);
}

export function* changeSubscription(
  id: string,
  { status, reason, ...changed }: SubscriptionChange,
  at: number,
): LedgerWork<Subscription | undefined> {
  const before = yield* subscriptionById(id);
  if (!before) return undefined;
  const after = { ...before, ...changed };
  yield* update({ id, url: after.url, ...textsOf(after), updated_at: at });
  if (status === 'active')
    yield* activate({ id, since: before.status === 'active' ? undefined : yield* newestPosition() });
  if (status === 'disabled' && before.status === 'active') yield* disable(id, reason ?? 'requested', at);
  return yield* subscriptionById(id);
}

export function* removeSubscription(id: string): LedgerWork<boolean> {
  return (yield* remove({ id })).length > 0;
}

/** Ends a subscription and all its open deliveries. */
export function* disable(id: string, reason: string, at: number): LedgerWork<void> {
  const ended = yield* endDeliveries({ id });
  yield* end({ id, reason, at, failed: ended.length });
}

function textsOf({ currencies, indicators, description }: NewSubscription) {
  return {
    currencies: currencies ? JSON.stringify(currencies) : null,
    indicators: indicators ? JSON.stringify(indicators) : null,
    description: description ?? null,
  };
}

function toSubscription(row: Row): Subscription {
  return {
    id: row.id,
    owner: row.owner,
    url: row.url,
    status: row.status === 'active' ? 'active' : 'disabled',
    currencies: listOf(row.currencies),
    indicators: listOf(row.indicators),
    description: row.description ?? undefined,
    since: row.since,
    successes: row.successes,
    failures: row.failures,
    consecutiveFailures: row.consecutive_failures,
    failingSince: row.failing_since ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? undefined,
    disabledAt: row.disabled_at ?? undefined,
    disabledReason: row.disabled_reason ?? undefined,
  };
}

function listOf(text: string | null): readonly string[] | undefined {
  return text === null ? undefined : readJson(text);
}
