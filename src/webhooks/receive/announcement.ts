import { asJsonText, isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import { instantOf } from '../../contract/time/time.ts';
import type { NewRow } from '../../mirror/api/page-commit.ts';

/** Why the body of a delivery is no event that can be kept, as a sentence without its full stop. */
export interface EventProblem {
  readonly problem: string;
}

/**
 * The event of a delivery as a row of changes, spelled as it was sent. A delivery says the times beside the event (`created`)
 * or in its id, where changes has them as members: those are added. See docs/interface.md#release-events.
 */
export function readAnnouncement(body: JsonObject, text: string): NewRow | EventProblem {
  const { id, event, created, data } = body;
  if (event !== 'announcement') return { problem: `no event of the kind ${JSON.stringify(event)} is known` };
  if (typeof id !== 'string' || !isJsonObject(data)) return { problem: 'the body carries no event' };
  if (data.event_id !== id)
    return { problem: `the delivery is of the event ${id}, its data of ${JSON.stringify(data.event_id)}` };
  if (typeof data.currency !== 'string' || typeof data.indicator !== 'string')
    return { problem: 'the event does not say of which currency and indicator it is' };
  const timestamp = data.timestamp ?? created;
  if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp))
    return { problem: 'created is no whole number of Unix seconds' };
  const release = data.release_timestamp ?? releaseOf(id, data);
  const times = { timestamp, ...(release !== undefined && { release_timestamp: release }) };
  return withMembers(dataText(text), times, data);
}

function releaseOf(id: string, { latest_announcement: latest }: JsonObject): number | undefined {
  const digits = /_(\d{1,12})$/.exec(id)?.[1];
  if (digits !== undefined) return Number(digits);
  return isJsonObject(latest) ? instantOf(latest.announcement_datetime) : undefined;
}

/** The text of `data`; of a member that stands twice every reader takes the last one. */
function dataText(text: string): string {
  const span = memberSpans(text).findLast(({ name }) => name === 'data');
  return span ? text.slice(span.start, span.end) : '{}';
}

/** The object's text with the members that it lacks at its end. It has an event id, so it is not empty. */
function withMembers(text: string, members: JsonObject, data: JsonObject): NewRow {
  const lacking = Object.entries(members).filter(([name]) => !Object.hasOwn(data, name));
  const added = lacking.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('');
  const whole = asJsonText(`${text.trim().slice(0, -1).trimEnd()}${added}}`);
  return { text: whole, value: { ...data, ...Object.fromEntries(lacking) } };
}
