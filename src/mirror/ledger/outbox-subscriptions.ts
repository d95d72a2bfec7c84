import { readJson } from '../../contract/json/json.ts';
import {
  type NewSubscription,
  SUBSCRIPTION_DISABLED,
  type Subscription,
  type SubscriptionChange,
} from '../api/outbox.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import type { LedgerSchema } from './ledger.ts';

type Row = LedgerSchema['subscriptions'];

/** The name under which the journal knows how far deliveries were made. */
export const FOLLOWER = 'webhooks';

/** Who wants to be told of what. */
export function subscriptionStatements(db: SqliteConnection) {
  const newest = db.prepare<[], number>('select coalesce(max(position), 0) from journal').pluck();
  const follow = db.prepare('insert or ignore into consumers (name, position, moved_at) values (?, ?, ?)');
  const count = db.prepare<[string], number>('select count(*) from subscriptions where owner = ?').pluck();
  const insert = db.prepare(
    `insert into subscriptions (id, owner, url, currencies, indicators, description, since, created_at)
     values (:id, :owner, :url, :currencies, :indicators, :description, :since, :createdAt)`,
  );
  const select = db.prepare<[string], Row>('select * from subscriptions where id = ?');
  const list = db.prepare<unknown[], Row>(
    'select * from subscriptions where :owner is null or owner = :owner order by number desc',
  );
  const update = db.prepare(
    `update subscriptions set url = :url, currencies = :currencies, indicators = :indicators,
       description = :description, updated_at = :at where id = :id`,
  );
  const activate = db.prepare(
    `update subscriptions set status = 'active', consecutive_failures = 0, failing_since = null, disabled_at = null,
       disabled_reason = null, since = case status when 'active' then since else ? end where id = ?`,
  );
  const remove = db.prepare('delete from subscriptions where id = ?');
  const disable = disabler(db);

  const add = db.transaction((subscription: NewSubscription, most: number): boolean => {
    if ((count.get(subscription.owner) ?? 0) >= most) return false;
    const since = newest.get() ?? 0;
    // Nobody has followed the journal before the first subscription: what lies behind concerns none.
    follow.run(FOLLOWER, since, subscription.createdAt);
    insert.run({ ...subscription, ...subscriptionTexts(subscription), since });
    return true;
  });
  const get = (id: string): Subscription | undefined => {
    const row = select.get(id);
    return row && toSubscription(row);
  };
  const change = db.transaction((id: string, { status, reason, ...changed }: SubscriptionChange, at: number) => {
    const before = get(id);
    if (!before) return undefined;
    const after = { ...before, ...changed };
    update.run({ id, url: after.url, ...subscriptionTexts(after), at });
    if (status === 'active') activate.run(newest.get() ?? 0, id);
    if (status === 'disabled' && before.status === 'active') disable(id, reason ?? 'requested', at);
    return get(id);
  });

  return {
    addSubscription: add.immediate,
    subscriptions: (owner?: string) => list.all({ owner: owner ?? null }).map(toSubscription),
    subscription: get,
    changeSubscription: change.immediate,
    removeSubscription: (id: string) => remove.run(id).changes > 0,
  };
}

/** Ends a subscription and all its open deliveries; runs inside of a transaction. */
export function disabler(db: SqliteConnection): (id: string, reason: string, at: number) => void {
  const end = db.prepare(
    `update deliveries set status = 'failed', last_error = ?, due_at = null, holder = null
     where subscription = ? and due_at is not null`,
  );
  const disable = db.prepare(
    `update subscriptions set status = 'disabled', disabled_at = ?, disabled_reason = ?, failures = failures + ?
     where id = ?`,
  );
  return (id, reason, at) => {
    const { changes } = end.run(SUBSCRIPTION_DISABLED, id);
    disable.run(at, reason, changes, id);
  };
}

export function subscriptionTexts({ currencies, indicators, description }: NewSubscription) {
  return {
    currencies: currencies ? JSON.stringify(currencies) : null,
    indicators: indicators ? JSON.stringify(indicators) : null,
    description: description ?? null,
  };
}

export function toSubscription(row: Row): Subscription {
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
