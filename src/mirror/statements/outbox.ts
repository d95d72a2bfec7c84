import { readJson } from '../../contract/json/json.ts';
import type {
  Attempt,
  ClaimedDelivery,
  DeliveriesAsk,
  Delivery,
  DeliveryClaim,
  NewDelivery,
  NewSubscription,
  Outbox,
  Subscription,
  SubscriptionChange,
} from '../api/outbox.ts';
import { OUTBOX_CONSUMER, SUBSCRIPTION_DISABLED } from '../api/outbox.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import type { Engine, EngineWork, Writer } from './engine.ts';
import { moveConsumer, newestPosition, readConsumers } from './journal.ts';
import { askRow, askRows, execute, type Transactions } from './transactions.ts';

type DeliveryRow = SystemRows['deliveries'];

// Deliveries from the event to the last attempt. An open one has a time at which it is due: of a claim, when it runs out.

/** Deliveries that one transaction forgets. */
const OLDEST = 1_000;

/** The outbox of a mirror of any engine. */
export function createOutbox({ read, change }: Transactions): Outbox {
  return {
    addSubscription: (subscription, most) => change((writer) => addSubscription(writer, subscription, most)),
    subscriptions: (owner) => read((engine) => readSubscriptions(engine, owner)),
    subscription: (id) => read((engine) => subscriptionById(engine, id)),
    changeSubscription: (id, changed, at) => change((writer) => changeSubscription(writer, { id, at }, changed)),
    removeSubscription: (id) =>
      change(function* (writer) {
        return (yield* askRows(writer, 'delete from subscriptions where id = ? returning id', id)).length > 0;
      }),
    deliveries: (wanted) => read((engine) => readDeliveries(engine, wanted)),
    // Position of the journal up to which deliveries were made.
    position: () =>
      read(function* (engine) {
        return (yield* readConsumers(engine, OUTBOX_CONSUMER))[0]?.position ?? 0;
      }),
    enqueue: (deliveries, position, at, event) =>
      change((writer, now = at) => enqueue(writer, deliveries, { position, at: now, event })),
    due: (at = 0) => read((engine, now = at) => dueSince(engine, now - at)),
    backlog: (at) => read((engine, now = at) => backlogAt(engine, now)),
    claim: (claim) => change((writer, now = claim.now) => claimDeliveries(writer, later(claim, now - claim.now))),
    settle: (attempts) => change((writer, now) => settleAttempts(writer, attempts, now)),
    release: (holder, at) => change((writer, now = at) => execute(writer, RELEASE, now, holder)),
    async forgetDeliveries(before) {
      while ((await change((writer) => askRows(writer, FORGET, OLDEST, before))).length === OLDEST);
    },
  };
}

const RELEASE = 'update deliveries set holder = null, due_at = ? where due_at is not null and holder = ?';

// Numbers follow the time, so old deliveries come first and no index of times is needed.
const FORGET = `delete from deliveries where number in (select number from deliveries order by number limit ?)
  and created_at < ? returning number`;

// Hosts that share a server have clocks of their own: each time that another host will compare is one of the server's.

/** For each active subscription with open deliveries, when the next one is due. */
const DUE = `select subscription, at from (
    select id as subscription, number,
      (select min(due_at) from deliveries where deliveries.subscription = subscriptions.id and due_at is not null) as at
    from subscriptions where status = 'active') as open
  where at is not null order by number`;

/** When deliveries are due by the clock of whoever asks; the server's is `ahead` of it, in milliseconds. */
function* dueSince(engine: Engine, ahead: number) {
  const rows = yield* askRows<{ readonly subscription: string; readonly at: number }>(engine, DUE);
  return rows.map(({ subscription, at }) => ({ subscription, at: at - ahead }));
}

function* backlogAt(engine: Engine, now: number) {
  const sql = 'select count(*) as count, min(created_at) as oldest from deliveries where due_at is not null';
  const { count, oldest } = yield* askRow<{ count: number; oldest: number | null }>(engine, sql);
  return { deliveries: count, oldestMs: oldest === null ? 0 : Math.max(0, now - oldest) };
}

function later(claim: DeliveryClaim, by: number): DeliveryClaim {
  return { ...claim, now: claim.now + by, until: claim.until + by };
}

function settledAt(attempt: Attempt, now: number): Attempt {
  const { result, at } = attempt;
  return { ...attempt, at: now, result: result.kind === 'retry' ? { ...result, at: result.at - at + now } : result };
}

/** Notes attempts in their deliveries and subscriptions, and disables a subscription that failed too often. */
function* settleAttempts(writer: Writer, attempts: readonly Attempt[], now?: number): EngineWork<void> {
  for (const attempt of attempts) yield* settle(writer, now === undefined ? attempt : settledAt(attempt, now));
}

const NOTE = `update deliveries set status = ?, last_status = ?, last_error = ?, due_at = ?, delivered_at = ?,
  attempts = attempts + 1, holder = null where id = ? and holder = ? returning subscription`;

const SUCCEED = `update subscriptions set successes = successes + 1, consecutive_failures = 0, failing_since = null
  where id = ?`;

const FAIL = `update subscriptions set failures = failures + ?, consecutive_failures = consecutive_failures + ?,
  failing_since = coalesce(failing_since, cast(? as bigint)) where id = ? returning consecutive_failures, failing_since`;

type FailingRow = Pick<SystemRows['subscriptions'], 'consecutive_failures' | 'failing_since'>;

function* settle(writer: Writer, { delivery, holder, at, status, result, limits }: Attempt): EngineWork<void> {
  const isDone = result.kind === 'succeeded';
  const values = [
    ...[result.kind === 'retry' ? 'retrying' : result.kind, status ?? null, isDone ? null : result.error],
    ...[result.kind === 'retry' ? result.at : null, isDone ? at : null, delivery, holder],
  ];
  const [noted] = yield* askRows<Pick<DeliveryRow, 'subscription'>>(writer, NOTE, ...values);
  if (!noted) return;
  const id = noted.subscription;
  if (isDone) {
    yield* execute(writer, SUCCEED, id);
    return;
  }
  const ended = result.kind === 'failed' ? 1 : 0;
  const [subscription] = yield* askRows<FailingRow>(writer, FAIL, ended, ended, at, id);
  const why = (result.kind === 'failed' && result.disables) || (subscription && tooMuch(subscription, at, limits));
  if (why) yield* disable(writer, { id, at }, why);
}

/** Why a subscription that failed so often is disabled; undefined when it is not. */
function tooMuch(subscription: FailingRow, at: number, { failures, streak }: Attempt['limits']): string | undefined {
  if (subscription.consecutive_failures >= failures) return 'consecutive_failures';
  return subscription.failing_since !== null && at - subscription.failing_since >= streak
    ? 'failing_too_long'
    : undefined;
}

function* readDeliveries(
  engine: Engine,
  { owner, subscription, status, since, limit }: DeliveriesAsk,
): EngineWork<readonly Delivery[]> {
  const more = Object.entries({ subscription, status }).filter(([, value]) => value !== undefined);
  const sql = `select deliveries.* from deliveries join subscriptions on subscriptions.id = deliveries.subscription
    where owner = ? and deliveries.created_at >= ?${more.map(([name]) => ` and deliveries.${name} = ?`).join('')}
    order by deliveries.number desc limit ?`;
  const values = [owner, since, ...more.map(([, value]) => value ?? null), limit];
  return (yield* askRows<DeliveryRow>(engine, sql, ...values)).map(toDelivery);
}

const ADD = `insert into deliveries (id, subscription, event, body, due_at, created_at)
  select ?, id, ?, ?, cast(? as bigint), cast(? as bigint) from subscriptions
  where id = ? and status = 'active' and since < ? on conflict do nothing`;

function* enqueue(
  writer: Writer,
  deliveries: readonly NewDelivery[],
  { position, at, event }: { readonly position: number; readonly at: number; readonly event: string | undefined },
): EngineWork<void> {
  for (const { id, subscription, event, position: place, body } of deliveries)
    writer.run({ sql: ADD, values: [id, event, body, at, at, subscription, place] });
  yield* moveConsumer(writer, { name: OUTBOX_CONSUMER, position, at }, event);
}

const UNDER_WAY = `select url, (select count(*) from deliveries
    where subscription = subscriptions.id and due_at > ? and holder is not null) as count
  from subscriptions where id = ? and status = 'active'`;

const TAKE = `update deliveries set holder = ?, due_at = ? where number in (
    select number from deliveries where subscription = ? and due_at <= ? order by due_at, number limit ?)
  returning id, subscription, event, body, attempts`;

function* claimDeliveries(
  writer: Writer,
  { destinations, holder, now, until }: DeliveryClaim,
): EngineWork<readonly ClaimedDelivery[]> {
  const claimed: ClaimedDelivery[] = [];
  for (const { subscription, parallel } of destinations) {
    const [active] = yield* askRows<{ url: string; count: number }>(writer, UNDER_WAY, now, subscription);
    if (!active || active.count >= parallel) continue;
    const room = parallel - active.count;
    const taken = yield* askRows<Omit<ClaimedDelivery, 'url'>>(writer, TAKE, holder, until, subscription, now, room);
    claimed.push(...taken.map((one) => ({ ...one, url: active.url })));
  }
  return claimed;
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    ...{ id: row.id, subscription: row.subscription, event: row.event, attempts: row.attempts },
    status: row.status as Delivery['status'], // the table lets nothing else in
    lastStatus: row.last_status ?? undefined,
    lastError: row.last_error ?? undefined,
    deliveredAt: row.delivered_at ?? undefined,
    nextAt: row.status === 'retrying' && row.holder === null ? (row.due_at ?? undefined) : undefined,
  };
}

type SubscriptionRow = SystemRows['subscriptions'];

function* addSubscription(writer: Writer, subscription: NewSubscription, most: number): EngineWork<boolean> {
  const { id, owner, url, createdAt } = subscription;
  const count = 'select count(*) as count from subscriptions where owner = ?';
  if ((yield* askRow<{ count: number }>(writer, count, owner)).count >= most) return false;
  const since = yield* newestPosition(writer);
  // Nobody has followed the journal before the first subscription: what lies behind concerns none.
  writer.run({
    sql: 'insert into consumers (name, position, moved_at) values (?, ?, ?) on conflict do nothing',
    values: [OUTBOX_CONSUMER, since, createdAt],
  });
  writer.run({
    sql: `insert into subscriptions (id, owner, url, currencies, indicators, description, since, created_at)
      values (?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [id, owner, url, ...textsOf(subscription), since, createdAt],
  });
  return true;
}

function* subscriptionById(engine: Engine, id: string): EngineWork<Subscription | undefined> {
  const [row] = yield* askRows<SubscriptionRow>(engine, 'select * from subscriptions where id = ?', id);
  return row && toSubscription(row);
}

function* readSubscriptions(engine: Engine, owner?: string): EngineWork<readonly Subscription[]> {
  const [where, values] = owner === undefined ? ['', []] : ['where owner = ?', [owner]];
  const rows = yield* askRows<SubscriptionRow>(
    engine,
    `select * from subscriptions ${where} order by number desc`,
    ...values,
  );
  return rows.map(toSubscription);
}

function* changeSubscription(
  writer: Writer,
  { id, at }: { readonly id: string; readonly at: number },
  { status, reason, ...changed }: SubscriptionChange,
): EngineWork<Subscription | undefined> {
  const before = yield* subscriptionById(writer, id);
  if (!before) return undefined;
  const after = { ...before, ...changed };
  writer.run({
    sql: 'update subscriptions set url = ?, currencies = ?, indicators = ?, description = ?, updated_at = ? where id = ?',
    values: [after.url, ...textsOf(after), at, id],
  });
  if (status === 'active') {
    const since = before.status === 'active' ? before.since : yield* newestPosition(writer);
    writer.run({
      sql: `update subscriptions set status = 'active', since = ?, consecutive_failures = 0, failing_since = null,
        disabled_at = null, disabled_reason = null where id = ?`,
      values: [since, id],
    });
  }
  if (status === 'disabled' && before.status === 'active') yield* disable(writer, { id, at }, reason ?? 'requested');
  return yield* subscriptionById(writer, id);
}

/** Ends a subscription and all its open deliveries. */
function* disable(
  writer: Writer,
  { id, at }: { readonly id: string; readonly at: number },
  reason: string,
): EngineWork<void> {
  const endDeliveries = `update deliveries set status = 'failed', last_error = ?, due_at = null, holder = null
    where subscription = ? and due_at is not null returning number`;
  const ended = yield* askRows(writer, endDeliveries, SUBSCRIPTION_DISABLED, id);
  writer.run({
    sql: `update subscriptions set status = 'disabled', disabled_at = ?, disabled_reason = ?, failures = failures + ?
      where id = ?`,
    values: [at, reason, ended.length, id],
  });
}

/** Currencies, indicators and description as they are stored. */
function textsOf({ currencies, indicators, description }: NewSubscription): readonly (string | null)[] {
  return [...[currencies, indicators].map((list) => (list ? JSON.stringify(list) : null)), description ?? null];
}

function toSubscription(row: SubscriptionRow): Subscription {
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
