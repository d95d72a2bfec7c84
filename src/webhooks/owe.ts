import type { Journal } from '../mirror/journal.ts';
import type { Outbox, Subscription } from '../mirror/outbox.ts';
import { deliveriesOf } from './delivery-body.ts';

/** Events that one transaction makes deliveries of: a server answers nobody meanwhile. */
const BATCH = 32;

export interface OweParts {
  readonly journal: Pick<Journal, 'events'>;
  readonly outbox: Pick<Outbox, 'subscriptions' | 'position' | 'enqueue'>;
}

/**
 * Makes the deliveries that are owed because of the events that came. Subscriptions are looked up after the events: one that
 * is made meanwhile begins behind them, so none is missed. False when nobody is subscribed.
 */
export async function oweNews({ journal, outbox }: OweParts, now: number): Promise<boolean> {
  const before = activeOf(await outbox.subscriptions());
  if (before.length === 0) return false;
  // What came before the first of them began concerns nobody.
  let position = Math.max(await outbox.position(), Math.min(...before.map(({ since }) => since)));
  for (;;) {
    const events = await journal.events({ after: position, limit: BATCH });
    const last = events.at(-1);
    if (!last) return true;
    const active = activeOf(await outbox.subscriptions());
    const owed = events.flatMap((event) => deliveriesOf(event, active));
    await outbox.enqueue(owed, last.position, now);
    position = last.position;
  }
}

function activeOf(subscriptions: readonly Subscription[]): readonly Subscription[] {
  return subscriptions.filter(({ status }) => status === 'active');
}
