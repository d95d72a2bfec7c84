import type { Journal, JournalEvent } from '../../mirror/api/journal.ts';
import type { NewDelivery, Outbox, Subscription } from '../../mirror/api/outbox.ts';
import type { Clock } from '../../platform/platform.ts';
import { deliveriesOf } from './delivery-body.ts';

/** Events that are read at once. */
const PAGE = 32;
/** Deliveries that one transaction adds: a server answers nobody meanwhile, however many have subscribed. */
const MAX_DELIVERIES = 100;

export interface EnqueueParts {
  readonly journal: Pick<Journal, 'events'>;
  readonly outbox: Pick<Outbox, 'subscriptions' | 'position' | 'enqueue'>;
  readonly clock: Pick<Clock, 'turnEnd'>;
}

/**
 * Makes the deliveries that are owed because of the events that came, until the signal: what is left is owed at the next call.
 * Subscriptions are looked up after the events: one that is made meanwhile begins behind them, so none is missed. False when
 * nobody is subscribed.
 */
export async function enqueueEvents(
  { journal, outbox, clock }: EnqueueParts,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<boolean> {
  const before = activeOf(await outbox.subscriptions());
  if (before.length === 0) return false;
  // What came before the first of them began concerns nobody.
  let position = Math.max(await outbox.position(), Math.min(...before.map(({ since }) => since)));
  while (!signal.aborted) {
    const events = await journal.events({ after: position, limit: PAGE });
    if (events.length === 0) break;
    const active = activeOf(await outbox.subscriptions());
    for (const { deliveries, upTo } of portionsOf(events, active, position)) {
      if (signal.aborted) break;
      await outbox.enqueue(deliveries, upTo, now);
      position = upTo;
      await clock.turnEnd();
    }
  }
  return true;
}

/** Deliveries in portions, each with the position up to which the events have all of theirs once it is in. */
function* portionsOf(
  events: readonly JournalEvent[],
  active: readonly Subscription[],
  after: number,
): Generator<{ readonly deliveries: readonly NewDelivery[]; readonly upTo: number }, void> {
  let deliveries: NewDelivery[] = [];
  let upTo = after;
  for (const event of events) {
    for (const delivery of deliveriesOf(event, active)) {
      if (deliveries.length === MAX_DELIVERIES) {
        yield { deliveries, upTo };
        deliveries = [];
      }
      deliveries.push(delivery);
    }
    upTo = event.position;
  }
  yield { deliveries, upTo };
}

function activeOf(subscriptions: readonly Subscription[]): readonly Subscription[] {
  return subscriptions.filter(({ status }) => status === 'active');
}
