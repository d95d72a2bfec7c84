import type { Attempt, ClaimedDelivery, DeliveriesAsk, Delivery, DeliveryClaim, NewDelivery } from '../api/outbox.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import type { LedgerSchema } from './ledger.ts';
import { disabler, FOLLOWER } from './outbox-subscriptions.ts';

type Row = LedgerSchema['deliveries'];

/** Deliveries that one statement forgets. */
const OLDEST = 1_000;

/** Deliveries from the event to the last attempt. An open one has a time at which it is due: of a claim, when it runs out. */
export function deliveryStatements(db: SqliteConnection) {
  const position = db.prepare<[string], number>('select position from consumers where name = ?').pluck();
  const move = db.prepare(
    `insert into consumers (name, position, moved_at) values (?, ?, ?)
     on conflict do update set position = max(position, excluded.position), moved_at = excluded.moved_at`,
  );
  const insert = db.prepare(
    `insert or ignore into deliveries (id, subscription, event, body, due_at, created_at)
     select :id, id, :event, :body, :at, :at from subscriptions
     where id = :subscription and status = 'active' and since < :position`,
  );
  const due = db.prepare<[], { subscription: string; at: number }>(
    `select subscription, at from (
       select id as subscription,
         (select min(due_at) from deliveries where subscription = subscriptions.id and due_at is not null) as at
       from subscriptions where status = 'active') where at is not null`,
  );
  const active = db
    .prepare<[string], string>("select url from subscriptions where id = ? and status = 'active'")
    .pluck();
  const underWay = db
    .prepare<unknown[], number>(
      'select count(*) from deliveries where subscription = :subscription and due_at > :now and holder is not null',
    )
    .pluck();
  const take = db.prepare<unknown[], Omit<ClaimedDelivery, 'url'>>(
    `update deliveries set holder = :holder, due_at = :until where number in (
       select number from deliveries where subscription = :subscription and due_at <= :now
       order by due_at, number limit :room)
     returning id, subscription, event, body, attempts`,
  );
  const release = db.prepare('update deliveries set holder = null, due_at = ? where due_at is not null and holder = ?');
  // Numbers follow the time, so what is old stands first and no index of times is kept.
  const forget = db.prepare(
    `delete from deliveries where number in (select number from deliveries order by number limit ${OLDEST})
     and created_at < ?`,
  );
  const list = db.prepare<unknown[], Row>(
    `select deliveries.* from deliveries join subscriptions on subscriptions.id = deliveries.subscription
     where owner = :owner and (:subscription is null or subscription = :subscription)
       and (:status is null or deliveries.status = :status) and deliveries.created_at >= :since
     order by deliveries.number desc limit :limit`,
  );

  const enqueue = db.transaction((deliveries: readonly NewDelivery[], upTo: number, at: number) => {
    for (const delivery of deliveries) insert.run({ ...delivery, at });
    move.run(FOLLOWER, upTo, at);
  });
  const claim = db.transaction(({ lanes, ...asked }: DeliveryClaim): readonly ClaimedDelivery[] =>
    lanes.flatMap(({ subscription, parallel }) => {
      const url = active.get(subscription);
      const room = parallel - (underWay.get({ subscription, now: asked.now }) ?? 0);
      if (url === undefined || room <= 0) return [];
      return take.all({ ...asked, subscription, room }).map((taken) => ({ ...taken, url }));
    }),
  );

  return {
    deliveries: ({ subscription, status, ...asked }: DeliveriesAsk) =>
      list.all({ ...asked, subscription: subscription ?? null, status: status ?? null }).map(toDelivery),
    position: () => position.get(FOLLOWER) ?? 0,
    enqueue: enqueue.immediate,
    due: () => due.all(),
    claim: claim.immediate,
    settle: settler(db),
    release: (holder: string, at: number) => void release.run(at, holder),
    forgetDeliveries(before: number): void {
      while (forget.run(before).changes === OLDEST);
    },
  };
}

/** Notes attempts in their deliveries and in the books of the subscriptions, and disables the one that failed too often. */
function settler(db: SqliteConnection): (attempts: readonly Attempt[]) => void {
  const find = db
    .prepare<[string, string], string>('select subscription from deliveries where id = ? and holder = ?')
    .pluck();
  const note = db.prepare(
    `update deliveries set status = :status, attempts = attempts + 1, last_status = :code, last_error = :error,
       due_at = :dueAt, holder = null, delivered_at = :deliveredAt where id = :id`,
  );
  const succeed = db.prepare(
    `update subscriptions set successes = successes + 1, consecutive_failures = 0, failing_since = null where id = ?`,
  );
  const fail = db.prepare<unknown[], Pick<LedgerSchema['subscriptions'], 'consecutive_failures' | 'failing_since'>>(
    `update subscriptions set failures = failures + :ended, consecutive_failures = consecutive_failures + :ended,
       failing_since = coalesce(failing_since, :at) where id = :id returning consecutive_failures, failing_since`,
  );
  const disable = disabler(db);

  const settleOne = ({ delivery, holder, at, status, result, limits }: Attempt): void => {
    const subscription = find.get(delivery, holder);
    if (subscription === undefined) return;
    const isDone = result.kind === 'succeeded';
    note.run({
      id: delivery,
      status: result.kind === 'retry' ? 'retrying' : result.kind,
      code: status ?? null,
      error: isDone ? null : result.error,
      dueAt: result.kind === 'retry' ? result.at : null,
      deliveredAt: isDone ? at : null,
    });
    if (isDone) return void succeed.run(subscription);
    const books = fail.get({ id: subscription, ended: result.kind === 'failed' ? 1 : 0, at });
    const why = (result.kind === 'failed' && result.disables) || tooMuch(books, at, limits);
    if (why) disable(subscription, why, at);
  };
  return db.transaction((attempts: readonly Attempt[]) => attempts.forEach(settleOne)).immediate;
}

/** Why a subscription that failed so often is disabled; undefined when it is not. */
export function tooMuch(
  books: Pick<LedgerSchema['subscriptions'], 'consecutive_failures' | 'failing_since'> | undefined,
  at: number,
  { failures, streak }: Attempt['limits'],
): string | undefined {
  if (!books) return undefined;
  if (books.consecutive_failures >= failures) return 'consecutive_failures';
  return books.failing_since !== null && at - books.failing_since >= streak ? 'failing_too_long' : undefined;
}

export function toDelivery(row: Row): Delivery {
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
