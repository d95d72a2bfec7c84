import { patchRow } from '../../contract/json/body.ts';
import { type JsonText, objectText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { Journal, JournalEvent } from '../../mirror/api/journal.ts';
import type { NewDelivery, Outbox, Subscription } from '../../mirror/api/outbox.ts';
import type { Clock } from '../../platform/platform.ts';

/** Events that are read at once. */
const PAGE = 32;
/** Deliveries that one transaction adds: a server answers nobody meanwhile, however many have subscribed. */
const MAX_DELIVERIES = 100;
/** The id of no event: the position stays. */
const NO_EVENT = '';

interface EnqueueParts {
  readonly journal: Pick<Journal, 'events'>;
  readonly outbox: Pick<Outbox, 'subscriptions' | 'position' | 'enqueue'>;
  readonly clock: Pick<Clock, 'turnEnd'>;
}

/** Members of an event that a delivery carries; its times stand beside it. Specification, "Event data". */
const DATA = ['event_id', 'currency', 'indicator', 'records_written'] as const;
const LATEST = ['date', 'val', 'announcement_datetime'] as const;

/**
 * Makes the deliveries of new events until the signal. Reads subscriptions after events, so that none is missed. False
 * without subscribers.
 */
export async function enqueueEvents(
  { journal, outbox, clock }: EnqueueParts,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<boolean> {
  const before = activeOf(await outbox.subscriptions());
  if (before.length === 0) return false;
  // Events before the first subscription concern nobody.
  let position = Math.max(await outbox.position(), Math.min(...before.map(({ since }) => since)));
  while (!signal.aborted) {
    const events = await journal.events({ after: position, limit: PAGE });
    if (events.length === 0) break;
    const active = activeOf(await outbox.subscriptions());
    for (const { deliveries, upTo } of portionsOf(events, active, position)) {
      if (signal.aborted) break;
      // Before the first event is complete there is no event to move to: a failover may have taken the one before it.
      const last = events.find((event) => event.position === upTo);
      await outbox.enqueue(deliveries, upTo, now, last?.id ?? NO_EVENT);
      position = upTo;
      await clock.turnEnd();
    }
  }
  return true;
}

/** Deliveries in batches, each with the position up to which all events have their deliveries once it is stored. */
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

/** The deliveries of an event to the subscriptions that match it. */
export function deliveriesOf(event: JournalEvent, subscriptions: readonly Subscription[]): readonly NewDelivery[] {
  const wanting = subscriptions.filter((one) => isWanted(event, one));
  if (wanting.length === 0) return [];
  const data = dataOf(event.text);
  return wanting.map(({ id: subscription }) => {
    const id = `${subscription}_${event.id}`;
    const body = bodyOf(event, { subscription, delivery: id, data });
    return { id, subscription, event: event.id, position: event.position, body };
  });
}

function isWanted({ currency, indicator }: JournalEvent, { currencies, indicators }: Subscription): boolean {
  if (currencies && !currencies.includes(currency)) return false;
  return indicators?.includes(indicator.toLowerCase()) ?? true;
}

/** The body of all attempts, with values spelled as they came. See docs/interface-events.md#webhook-deliveries. */
function bodyOf(
  { id, timestamp }: JournalEvent,
  { subscription, delivery, data }: { subscription: string; delivery: string; data: JsonText },
): string {
  return objectText([
    ['id', toJsonText(id)],
    ['event', toJsonText('announcement')],
    ['created', toJsonText(timestamp)],
    ['subscription_id', toJsonText(subscription)],
    ['delivery_id', toJsonText(delivery)],
    ['data', data],
  ]);
}

function dataOf(event: JsonText): JsonText {
  const [latest, ...values] = memberTexts(event, ['latest_announcement', ...DATA]);
  const members = DATA.map((name, i) => [name, values[i]] as const);
  return objectText([...members, ['latest_announcement', latest?.startsWith('{') ? compact(latest) : latest]]);
}

/** The print alone, where the event carries the whole row of its release. In events its time is ISO. */
function compact(latest: JsonText): JsonText {
  const values = memberTexts(latest, LATEST);
  const text = objectText(LATEST.map((name, i) => [name, values[i]]));
  const { announcement_datetime: release } = parseObject(latest);
  return typeof release === 'number'
    ? patchRow(text, { announcement_datetime: toJsonText(isoSeconds(release)) })
    : text;
}
