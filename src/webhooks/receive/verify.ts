import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { isJsonObject, type JsonObject, readJson } from '../../contract/json/json.ts';
import { signatureDigest, TOLERANCE_SECONDS } from '../sign.ts';
import { type DeliveryHeaders, type HeaderPairs, type HeaderProblem, readDeliveryHeaders } from './delivery-headers.ts';

export interface ReceivedDelivery {
  readonly headers: HeaderPairs;
  /** The exact bytes, before anything parsed them. */
  readonly body: Uint8Array;
}

export interface VerifyOptions {
  /** Every secret that is good: during a rotation the old one and the new one. As a key object it is read once for many. */
  readonly secrets: readonly (string | KeyObject)[];
  /** Unix seconds. */
  readonly now: number;
}

type DeliveryRefusal =
  | HeaderProblem['reason']
  | 'malformed_timestamp'
  | 'stale_timestamp'
  | 'malformed_signature'
  | 'bad_signature'
  | 'malformed_body'
  | 'event_id_mismatch'
  | 'header_body_mismatch';

interface Accepted {
  readonly ok: true;
  readonly headers: DeliveryHeaders;
  readonly body: JsonObject;
  /** The text of the body. */
  readonly text: string;
  readonly secret: number;
}

export interface Refused {
  readonly ok: false;
  readonly reason: DeliveryRefusal;
  /** The fault, as a sentence without its full stop. */
  readonly detail: string;
}

/** Judges a delivery: headers, clock, signature in constant time, and only then the body, which must agree. Pure. */
export function verifyDelivery(delivery: ReceivedDelivery, { secrets, now }: VerifyOptions): Accepted | Refused {
  const headers = readDeliveryHeaders(delivery.headers);
  if ('reason' in headers) return { ok: false, ...headers };
  const clock = clockProblem(headers.timestamp, now);
  if (clock) return clock;
  const candidates = signaturesIn(headers.signature);
  if (candidates.length === 0)
    return refuse('malformed_signature', 'the signature is not v1= and 64 lower-case hexadecimal digits');
  const secret = signerOf(headers, delivery.body, { secrets, candidates });
  if (secret < 0) return refuse('bad_signature', 'the signature is that of none of the secrets');
  const read = readBody(delivery.body);
  if (!read) return refuse('malformed_body', 'the body is no JSON object');
  return disagreement(headers, read.body) ?? { ok: true, headers, ...read, secret };
}

function clockProblem(timestamp: string, now: number): Refused | undefined {
  if (!/^\d{1,12}$/.test(timestamp))
    return refuse('malformed_timestamp', 'the timestamp is no whole number of Unix seconds');
  const age = now - Number(timestamp);
  if (Math.abs(age) <= TOLERANCE_SECONDS) return undefined;
  const off = `${Math.abs(age)} seconds ${age > 0 ? 'old' : 'ahead'}`;
  return refuse('stale_timestamp', `the timestamp is ${off}, and at most ${TOLERANCE_SECONDS} are taken`);
}

/** The digests of a header, separated by commas; other schemes are skipped. */
export function signaturesIn(header: string): readonly Uint8Array[] {
  const digests: Uint8Array[] = [];
  for (const part of header.split(',')) {
    const hex = /^v1=([0-9a-f]{64})$/.exec(part.trim())?.[1];
    if (hex !== undefined) digests.push(Buffer.from(hex, 'hex'));
  }
  return digests;
}

/** Index of the secret that signed it, or -1. Every pair is compared, so that the time says nothing of which one fits. */
function signerOf(
  { timestamp, eventId }: DeliveryHeaders,
  body: Uint8Array,
  { secrets, candidates }: Pick<VerifyOptions, 'secrets'> & { candidates: readonly Uint8Array[] },
): number {
  let found = -1;
  for (const [index, secret] of secrets.entries()) {
    const digest = signatureDigest({ timestamp, eventId, body }, secret);
    for (const candidate of candidates) if (timingSafeEqual(digest, candidate) && found < 0) found = index;
  }
  return found;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readBody(bytes: Uint8Array): Pick<Accepted, 'body' | 'text'> | undefined {
  try {
    const text = UTF8.decode(bytes);
    const body: unknown = readJson(text);
    return isJsonObject(body) ? { body, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Facts in both headers and body must be equal. */
function disagreement({ eventId, event, deliveryId }: DeliveryHeaders, body: JsonObject): Refused | undefined {
  if (body.id !== eventId)
    return refuse(
      'event_id_mismatch',
      `the header names the event ${eventId}, the body ${body.id === undefined ? 'names none: it has no id' : JSON.stringify(body.id)}`,
    );
  const pairs = [
    ['event', event, body.event],
    ['delivery_id', deliveryId, body.delivery_id],
  ] as const;
  const odd = pairs.find(([, header, member]) => header !== undefined && member !== undefined && header !== member);
  return (
    odd && refuse('header_body_mismatch', `the header says ${odd[1]}, the body's ${odd[0]} ${JSON.stringify(odd[2])}`)
  );
}

function refuse(reason: DeliveryRefusal, detail: string): Refused {
  return { ok: false, reason, detail };
}
