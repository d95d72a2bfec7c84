import type { Post } from '../../platform/platform.ts';
import { signDelivery } from '../sign.ts';
import type { Met } from './delivery-policy.ts';
import { checkDestination, type GuardParts } from './guard.ts';

/** What one attempt may cost. See docs/interface.md#webhook-destinations and docs/interface.md#webhook-deliveries. */
const LIMITS = { connectTime: 5_000, totalTime: 15_000, answerBytes: 65_536 };

export interface DeliverParts {
  readonly guard: GuardParts;
  readonly post: Post;
  /** Stands before the names of the headers: `X-SVC`. */
  readonly headerPrefix: string;
  /** What is delivered was generated, and says so. */
  readonly synthetic: boolean;
}

/** What is posted where. */
export interface Parcel {
  readonly url: string;
  readonly secret: string;
  readonly delivery: string;
  readonly event: string;
  readonly body: string;
  /** Unix seconds. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * One attempt at a delivery. Walk: the destination is judged again, since a name may lead elsewhere by now; the bytes are
 * signed with the time of this attempt; they are posted to an address that was judged.
 */
export async function deliverParcel(parcel: Parcel, parts: DeliverParts): Promise<Met> {
  const to = await checkDestination(parcel.url, parts.guard);
  // A name that nobody knows now may be known later; one that leads inside is not asked again.
  if ('reason' in to) return { error: `destination refused: ${to.reason}`, final: to.reason !== 'unresolved_host' };
  const body = new TextEncoder().encode(parcel.body);
  try {
    const headers = headersOf(parcel, body, parts);
    return await parts.post({ ...LIMITS, ...to, headers, body, signal: parcel.signal });
  } catch (error) {
    parcel.signal.throwIfAborted();
    return { error: failureText(error) };
  }
}

function headersOf(
  { delivery, event, now, secret }: Parcel,
  body: Uint8Array,
  { headerPrefix, synthetic }: DeliverParts,
): Readonly<Record<string, string>> {
  const timestamp = String(now);
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${headerPrefix.replace(/^X-/i, '')}-Webhooks/1.0`,
    [`${headerPrefix}-Event`]: 'announcement',
    [`${headerPrefix}-Event-ID`]: event,
    [`${headerPrefix}-Delivery-ID`]: delivery,
    [`${headerPrefix}-Timestamp`]: timestamp,
    [`${headerPrefix}-Signature`]: signDelivery({ timestamp, eventId: event, body }, secret),
    ...(synthetic && { [`${headerPrefix}-Synthetic`]: '1' }),
  };
}

/** What a connection died of, in a word or two: the list of deliveries is shown to whoever subscribed. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return 'connection failed';
  if (error.name === 'TimeoutError') return 'timeout';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code === undefined ? 'connection failed' : `connection failed: ${code}`;
}
