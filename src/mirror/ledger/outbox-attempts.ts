import type { Attempt } from '../api/outbox.ts';
import type { LedgerSchema } from './ledger.ts';
import { disable } from './outbox-subscriptions.ts';
import { type LedgerWork, statement } from './statements/statement.ts';

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

/** Notes attempts in their deliveries and in the books of the subscriptions, and disables the one that failed too often. */
export function* settleAttempts(attempts: readonly Attempt[]): LedgerWork<void> {
  for (const attempt of attempts) yield* settle(attempt);
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
