import { retryAfterOf } from '../../contract/headers.ts';
import type { Attempt, AttemptResult } from '../../mirror/api/outbox.ts';
import type { Post } from '../../platform/platform.ts';
import { signDelivery } from '../sign.ts';
import { checkDestination, type GuardParts } from './guard.ts';

/** The limits of one attempt. See docs/interface-events.md#webhook-destinations and docs/interface-events.md#webhook-deliveries. */
const LIMITS = { connectTime: 5_000, totalTime: 15_000, answerBytes: 65_536 };

export interface DeliverParts {
  readonly guard: GuardParts;
  readonly post: Post;
  /** Stands before the names of the headers: `X-SVC`. */
  readonly headerPrefix: string;
  /** True if deliveries are generated data, marked as such. */
  readonly synthetic: boolean;
}

/** The posts and their addresses. */
interface Parcel {
  readonly url: string;
  /** Reads the secret that is good by now. */
  readonly secret: () => Promise<string>;
  readonly delivery: string;
  readonly event: string;
  readonly body: string;
  /** Unix seconds. */
  readonly now: number;
  readonly signal: AbortSignal;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How often and how long something is tried. Times are milliseconds. */
export interface DeliveryPolicy {
  /** Waits after the first attempt, the second one and so on; behind the last one a delivery has failed. */
  readonly waits: readonly number[];
  /** Part of a wait by which it is made longer or shorter, so that deliveries do not come back together. */
  readonly jitter: number;
  /** The max wait that a `Retry-After` may ask for. */
  readonly longestAsked: number;
  /** When a subscription is disabled. */
  readonly limits: Attempt['limits'];
}

/** See docs/interface-events.md#webhook-deliveries; modelled on Standard Webhooks. */
export const DELIVERY_POLICY: DeliveryPolicy = {
  waits: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  jitter: 0.1,
  longestAsked: HOUR,
  limits: { failures: 10, streak: 5 * DAY },
};

/** The result of an attempt: an answer, or the failure in its place. */
export type Met =
  | { readonly status: number; readonly headers: Headers }
  /** `final`: another attempt would meet with the same. */
  | { readonly error: string; readonly final?: boolean };

/** Which attempt it was, from 1, and when it ended. */
interface Tried {
  readonly attempt: number;
  readonly at: number;
  /** In [0, 1). */
  readonly random: number;
}

/** Answers in the 4xx that may be better next time. */
const PASSING = new Set([408, 425, 429]);

/** Makes one attempt: judges the destination again, signs with the present secret and time and posts to a judged address. */
export async function deliverParcel(parcel: Parcel, parts: DeliverParts): Promise<Met> {
  const to = await checkDestination(parcel.url, parts.guard);
  // An unknown name may be known later; an inside address is not tried again.
  if ('reason' in to) return { error: `destination refused: ${to.reason}`, final: to.reason !== 'unresolved_host' };
  const body = new TextEncoder().encode(parcel.body);
  const headers = headersOf({ ...parcel, secret: await parcel.secret() }, body, parts);
  try {
    return await parts.post({ ...LIMITS, ...to, headers, body, signal: parcel.signal });
  } catch (error) {
    parcel.signal.throwIfAborted();
    return { error: failureText(error) };
  }
}

function headersOf(
  { delivery, event, now, secret }: Omit<Parcel, 'secret'> & { readonly secret: string },
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

/** Why a connection failed, in a word or two: subscribers see it in their list of deliveries. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return 'connection failed';
  if (error.name === 'TimeoutError') return 'timeout';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code === undefined ? 'connection failed' : `connection failed: ${code}`;
}

/** The result of an attempt: 2xx succeeds; no answer, 408, 425, 429 and 5xx are tried again; 410 ends; others fail. */
export function judgeAttempt(met: Met, tried: Tried, policy: DeliveryPolicy): AttemptResult {
  if ('status' in met && met.status >= 200 && met.status <= 299) return { kind: 'succeeded' };
  const error = 'status' in met ? `status ${met.status}` : met.error;
  const wait = isTransientAttempt(met) ? waitAfter(met, tried, policy) : undefined;
  if (wait !== undefined) return { kind: 'retry', error, at: tried.at + wait };
  return { kind: 'failed', error, ...('status' in met && met.status === 410 && { disables: 'gone' }) };
}

/** True for what another attempt may not meet with any more. */
export function isTransientAttempt(met: Met): boolean {
  return 'status' in met ? PASSING.has(met.status) || met.status >= 500 : met.final !== true;
}

/** Milliseconds until the next attempt; undefined behind the last one. `Retry-After` lengthens a wait and never shortens it. */
function waitAfter(met: Met, { attempt, at, random }: Tried, policy: DeliveryPolicy): number | undefined {
  const wait = policy.waits[attempt - 1];
  if (wait === undefined) return undefined;
  const spread = wait * (1 + policy.jitter * (2 * random - 1));
  const retryAfter = 'status' in met ? (retryAfterOf(met.headers, at) ?? 0) * SECOND : 0;
  return Math.max(Math.round(spread), Math.min(retryAfter, policy.longestAsked));
}
