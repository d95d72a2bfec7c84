import { createHmac, type KeyObject } from 'node:crypto';

/** Age of a delivery that a receiver still takes, either way, in seconds. Specification, "Webhook delivery". */
export const TOLERANCE_SECONDS = 300;

/** The text that a signature covers. */
export interface SignedMessage {
  /** As the header has it: Unix seconds in digits. */
  readonly timestamp: string;
  readonly eventId: string;
  /** The exact bytes of the body. */
  readonly body: Uint8Array;
}

/** HMAC-SHA256 of `timestamp.event id.body` by the secret as UTF-8. See docs/interface-events.md#webhook-deliveries. */
export function signatureDigest(
  { timestamp, eventId, body }: SignedMessage,
  secret: string | Uint8Array | KeyObject,
): Uint8Array {
  return createHmac('sha256', secret).update(`${timestamp}.${eventId}.`).update(body).digest();
}

/** The signature header's value. */
export function signDelivery(message: SignedMessage, secret: string): string {
  return `v1=${Buffer.from(signatureDigest(message, secret)).toString('hex')}`;
}
