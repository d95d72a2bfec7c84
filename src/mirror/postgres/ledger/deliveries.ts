import { sql } from 'kysely';
import {
  type Attempt,
  type ClaimedDelivery,
  type DeliveryClaim,
  type NewDelivery,
  type Outbox,
  SUBSCRIPTION_DISABLED,
} from '../../api/outbox.ts';
import { toDelivery, tooMuch } from '../../ledger/outbox-deliveries.ts';
import { FOLLOWER } from '../../ledger/outbox-subscriptions.ts';
import type { ServerConnection } from '../connection.ts';
import type { ServerReading } from '../rows/reader.ts';
import type { Writing } from '../writing.ts';

type Deliveries = Pick<
  Outbox,
  'deliveries' | 'position' | 'enqueue' | 'due' | 'claim' | 'settle' | 'release' | 'forgetDeliveries'
>;

/** Deliveries from the event to the last attempt. An open one has a time at which it is due: of a claim, when it runs out. */
export function createDeliveries(reading: ServerReading, { change }: Pick<Writing, 'change'>): Deliveries {
  return {
    deliveries: ({ owner, subscription, status, since, limit }) =>
      reading(async ({ ledger }) => {
        let wanted = ledger
          .selectFrom('deliveries')
          .innerJoin('subscriptions', 'subscriptions.id', 'deliveries.subscription')
          .selectAll('deliveries')
          .where('owner', '=', owner)
          .where('deliveries.created_at', '>=', since);
        if (subscription !== undefined) wanted = wanted.where('subscription', '=', subscription);
        if (status !== undefined) wanted = wanted.where('deliveries.status', '=', status);
        return (await wanted.orderBy('deliveries.number', 'desc').limit(limit).execute()).map(toDelivery);
      }),
    position: () =>
      reading(async ({ ledger }) => {
        const follower = ledger.selectFrom('consumers').select('position').where('name', '=', FOLLOWER);
        return (await follower.executeTakeFirst())?.position ?? 0;
      }),
    enqueue: (deliveries, position, at) => change((seat) => enqueue(seat, deliveries, { position, at })),
    due: () =>
      reading(async ({ ledger }) =>
        ledger
          .selectFrom('deliveries')
          .innerJoin('subscriptions', 'subscriptions.id', 'deliveries.subscription')
          .select(['subscription', (from) => from.fn.min<number>('due_at').as('at')])
          .where('subscriptions.status', '=', 'active')
          .where('due_at', 'is not', null)
          .groupBy(['subscription', 'subscriptions.number'])
          .orderBy('subscriptions.number')
          .execute(),
      ),
    claim: (asked) => change((seat) => claim(seat, asked)),
    settle: (attempts) =>
      change(async (seat) => {
        for (const attempt of attempts) await settle(seat, attempt);
      }),
    release: (holder, at) =>
      change(async ({ ledger }) => {
        await ledger.updateTable('deliveries').set({ holder: null, due_at: at }).where('holder', '=', holder).execute();
      }),
    forgetDeliveries: (before) =>
      change(async ({ ledger }) => {
        await ledger.deleteFrom('deliveries').where('created_at', '<', before).execute();
      }),
  };
}

async function enqueue(
  { ledger }: ServerConnection,
  deliveries: readonly NewDelivery[],
  { position, at }: { position: number; at: number },
): Promise<void> {
  for (const one of deliveries)
    await sql`insert into deliveries (id, subscription, event, body, due_at, created_at)
      select ${one.id}, id, ${one.event}, ${one.body}, ${at}::bigint, ${at}::bigint from subscriptions
      where id = ${one.subscription} and status = 'active' and since < ${one.position}
      on conflict do nothing`.execute(ledger);
  await ledger
    .insertInto('consumers')
    .values({ name: FOLLOWER, position, moved_at: at })
    .onConflict((on) =>
      on.column('name').doUpdateSet((to) => ({
        position: to.fn<number>('greatest', ['consumers.position', 'excluded.position']),
        moved_at: at,
      })),
    )
    .execute();
}

async function claim(seat: ServerConnection, { lanes, ...asked }: DeliveryClaim): Promise<readonly ClaimedDelivery[]> {
  const taken: ClaimedDelivery[] = [];
  for (const lane of lanes) taken.push(...(await claimLane(seat, { ...asked, ...lane })));
  return taken;
}

async function claimLane(
  { ledger }: ServerConnection,
  { subscription, holder, now, until, parallel }: Omit<DeliveryClaim, 'lanes'> & DeliveryClaim['lanes'][number],
): Promise<readonly ClaimedDelivery[]> {
  const found = ledger.selectFrom('subscriptions').select('url').where('id', '=', subscription);
  const active = await found.where('status', '=', 'active').executeTakeFirst();
  if (!active) return [];
  const underWay = await ledger
    .selectFrom('deliveries')
    .select('id')
    .where('subscription', '=', subscription)
    .where('due_at', '>', now)
    .where('holder', 'is not', null)
    .execute();
  const room = parallel - underWay.length;
  if (room <= 0) return [];
  const taken = await ledger
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
    .returning(['id', 'subscription', 'event', 'body', 'attempts'])
    .execute();
  return taken.map((one) => ({ ...one, url: active.url }));
}

/** Notes an attempt in the delivery and in the books of its subscription, and disables the one that failed too often. */
async function settle(
  seat: ServerConnection,
  { delivery, holder, at, status, result, limits }: Attempt,
): Promise<void> {
  const { ledger } = seat;
  const isDone = result.kind === 'succeeded';
  const noted = await ledger
    .updateTable('deliveries')
    .set((to) => ({
      status: result.kind === 'retry' ? 'retrying' : result.kind,
      attempts: to('attempts', '+', 1),
      last_status: status ?? null,
      last_error: isDone ? null : result.error,
      due_at: result.kind === 'retry' ? result.at : null,
      holder: null,
      delivered_at: isDone ? at : null,
    }))
    .where('id', '=', delivery)
    .where('holder', '=', holder)
    .returning('subscription')
    .executeTakeFirst();
  if (!noted) return;
  const ended = result.kind === 'failed' ? 1 : 0;
  const books = await ledger
    .updateTable('subscriptions')
    .set((to) =>
      isDone
        ? { successes: to('successes', '+', 1), consecutive_failures: 0, failing_since: null }
        : {
            failures: to('failures', '+', ended),
            consecutive_failures: to('consecutive_failures', '+', ended),
            failing_since: to.fn.coalesce('failing_since', sql<number>`${at}::bigint`),
          },
    )
    .where('id', '=', noted.subscription)
    .returning(['consecutive_failures', 'failing_since'])
    .executeTakeFirst();
  if (isDone) return;
  const reason = (result.kind === 'failed' && result.disables) || tooMuch(books, at, limits);
  if (reason) await disable(seat, noted.subscription, { reason, at });
}

/** Ends a subscription and all its open deliveries. */
export async function disable(
  { ledger }: ServerConnection,
  id: string,
  { reason, at }: { reason: string; at: number },
): Promise<void> {
  const ended = await ledger
    .updateTable('deliveries')
    .set({ status: 'failed', last_error: SUBSCRIPTION_DISABLED, due_at: null, holder: null })
    .where('subscription', '=', id)
    .where('due_at', 'is not', null)
    .returning('id')
    .execute();
  await ledger
    .updateTable('subscriptions')
    .set((to) => ({
      ...{ status: 'disabled', disabled_at: at, disabled_reason: reason },
      failures: to('failures', '+', ended.length),
    }))
    .where('id', '=', id)
    .execute();
}
