import { patchRow } from '../contract/body.ts';
import { asJsonText, type JsonText, parseObject, toJsonText } from '../contract/json.ts';
import { memberTexts } from '../contract/scan.ts';
import { isoSeconds } from '../contract/time.ts';
import type { JournalEvent } from '../mirror/journal.ts';
import type { NewDelivery, Subscription } from '../mirror/outbox.ts';

/** Members of an event that a delivery carries; its times stand beside it. Specification, "Event data". */
const DATA = ['event_id', 'currency', 'indicator', 'records_written'] as const;
const LATEST = ['date', 'val', 'announcement_datetime'] as const;

/** What is owed to a subscription because of an event; undefined when it is about something else. */
export function deliveryOf(event: JournalEvent, subscription: Subscription): NewDelivery | undefined {
  const { id, currencies, indicators } = subscription;
  if (currencies && !currencies.includes(event.currency)) return undefined;
  if (indicators && !indicators.includes(event.indicator.toLowerCase())) return undefined;
  const delivery = `${id}_${event.id}`;
  const body = bodyOf(event, { subscription: id, delivery });
  return { id: delivery, subscription: id, event: event.id, position: event.position, body };
}

/** The body of all attempts, with values spelled as they came. Wire facts, section 10.4. */
function bodyOf({ id, timestamp, text }: JournalEvent, told: { subscription: string; delivery: string }): string {
  const members = {
    id: toJsonText(id),
    event: toJsonText('announcement'),
    created: toJsonText(timestamp),
    subscription_id: toJsonText(told.subscription),
    delivery_id: toJsonText(told.delivery),
    data: dataOf(text),
  };
  return objectText(members);
}

function dataOf(event: JsonText): JsonText {
  const [latest, ...values] = memberTexts(event, ['latest_announcement', ...DATA]);
  const members = Object.fromEntries(DATA.map((name, i) => [name, values[i]]));
  return objectText({ ...members, latest_announcement: latest?.startsWith('{') ? compact(latest) : latest });
}

/** The print alone, where the event carries the whole row of its release. In events its time is ISO. */
function compact(latest: JsonText): JsonText {
  const values = memberTexts(latest, LATEST);
  const text = objectText(Object.fromEntries(LATEST.map((name, i) => [name, values[i]])));
  const { announcement_datetime: release } = parseObject(latest);
  return typeof release === 'number'
    ? patchRow(text, { announcement_datetime: toJsonText(isoSeconds(release)) })
    : text;
}

/** An object of members that are text already; those without one are left out. */
function objectText(members: Readonly<Record<string, JsonText | undefined>>): JsonText {
  const told = Object.entries(members).filter(([, text]) => text !== undefined);
  return asJsonText(`{${told.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
}
