import type { JsonText } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { NewRow } from '../../mirror/api/page-commit.ts';
import { readAnnouncement } from './announcement.ts';
import { type ReceivedDelivery, type VerifyOptions, verifyDelivery } from './verify.ts';

export interface ReceiverParts {
  /** Every secret that is good now. */
  secrets(): VerifyOptions['secrets'];
  /** Milliseconds. */
  now(): number;
  /** Keeps an event in one transaction; gives its place in the journal when it was not known yet. */
  record(row: NewRow, synthetic: boolean): Promise<number | undefined>;
}

/** What the sender is told, and what became of its delivery. */
export interface Receipt {
  readonly status: 204 | 400 | 401 | 503;
  /** Why it was not taken. */
  readonly refusal?: { readonly code: string; readonly detail: string };
  /** The event, when it was not known before. */
  readonly event?: JsonText;
}

/**
 * Takes one delivery. Walk: it is verified before anything else is read; the event is kept in one transaction; only then
 * the sender hears that it was, and hears the same of an event that was known. What can never be taken is a 4xx, what may
 * be sent again a 503.
 */
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

/** What the mirror says of deliveries that do not belong into it, however often they are sent. */
const FOREIGN: ReadonlySet<string> = new Set(['mirror_nature', 'mirror_service']);

/** A row that the mirror cannot read, or that is not for it, will not be better next time; everything else may be. */
function failure({ kind, code = kind, message }: MacroError): Receipt {
  const isFinal = kind === 'protocol' || FOREIGN.has(code);
  return refuse(isFinal ? 400 : 503, code, message.replace(/\.$/, ''));
}

function refuse(status: 400 | 401 | 503, code: string, detail: string): Receipt {
  return { status, refusal: { code, detail } };
}
