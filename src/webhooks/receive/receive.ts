import { asJsonText, isJsonObject, type JsonObject, type JsonText } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import { instantOf } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { NewRow } from '../../mirror/api/page-commit.ts';
import { type ReceivedDelivery, type VerifyOptions, verifyDelivery } from './verify.ts';

export interface ReceiverParts {
  /** Every secret that is good now. */
  secrets(): VerifyOptions['secrets'];
  /** Milliseconds. */
  now(): number;
  /** Keeps an event in one transaction; gives its place in the journal when it was not known yet. */
  record(row: NewRow, synthetic: boolean): Promise<number | undefined>;
}

/** The reply to the sender, and the fate of its delivery. */
export interface Receipt {
  readonly status: 204 | 400 | 401 | 503;
  /** Why it was not taken. */
  readonly refusal?: { readonly code: string; readonly detail: string };
  /** The event, when it was not known before. */
  readonly event?: JsonText;
}

/** Why the body of a delivery cannot be stored as an event, as a sentence without its full stop. */
interface EventProblem {
  readonly problem: string;
}

/** Verifies a delivery, stores its event, then answers, alike for a known one. 4xx is final, 503 may be sent again. */
export async function receiveDelivery(delivery: ReceivedDelivery, parts: ReceiverParts): Promise<Receipt> {
  try {
    const now = Math.floor(parts.now() / 1000);
    const verdict = verifyDelivery(delivery, { secrets: parts.secrets(), now });
    if (!verdict.ok) return refuse(verdict.reason === 'bad_signature' ? 401 : 400, verdict.reason, verdict.detail);
    const row = readAnnouncement(verdict.body, verdict.text);
    if ('problem' in row) return refuse(400, 'malformed_event', row.problem);
    const position = await parts.record(row, verdict.headers.synthetic);
    return { status: 204, ...(position !== undefined && { event: row.text }) };
  } catch (error) {
    if (error instanceof MacroError) return failure(error);
    throw error;
  }
}

/** Error codes for deliveries that do not belong in this mirror: no retry changes that. */
const FOREIGN: ReadonlySet<string> = new Set(['mirror_nature', 'mirror_service']);

/** A row that the mirror cannot read, or that is not for it, will not be better next time; everything else may be. */
function failure({ kind, code = kind, message }: MacroError): Receipt {
  const isFinal = kind === 'protocol' || FOREIGN.has(code);
  return refuse(isFinal ? 400 : 503, code, message.replace(/\.$/, ''));
}

function refuse(status: 400 | 401 | 503, code: string, detail: string): Receipt {
  return { status, refusal: { code, detail } };
}

/**
 * The event of a delivery as a row of changes, with times from `created` and its id. See
 * docs/interface-events.md#release-events.
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

/** The object's text with its missing members at the end. It has an event id, so it is not empty. */
function withMembers(text: string, members: JsonObject, data: JsonObject): NewRow {
  const lacking = Object.entries(members).filter(([name]) => !Object.hasOwn(data, name));
  const added = lacking.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('');
  const whole = asJsonText(`${text.trim().slice(0, -1).trimEnd()}${added}}`);
  return { text: whole, value: { ...data, ...Object.fromEntries(lacking) } };
}
