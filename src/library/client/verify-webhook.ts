import { MacroError } from '../../errors.ts';
import { nodePlatform } from '../../platform/node.ts';
import type { HeaderPairs } from '../../webhooks/receive/delivery-headers.ts';
import { verifyDelivery } from '../../webhooks/receive/verify.ts';
import type { GivenHeaders, VerifiedWebhook, WebhookRequest } from '../api/webhook.ts';
import { withClass } from '../errors.ts';

/**
 * Checks that a webhook was sent by whoever holds the signing secret, and within five minutes of now. Answer with 2xx once the
 * event is stored, and with 401 when this throws.
 *
 * @throws A VerificationError whose `code` names the reason.
 */
export function verifyWebhookRequest({ headers, body, secret, now }: WebhookRequest): VerifiedWebhook {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const at = now?.getTime() ?? nodePlatform().clock.now();
  const verdict = verifyDelivery({ headers: pairsOf(headers), body: bytes }, { secrets, now: Math.floor(at / 1000) });
  if (!verdict.ok)
    throw withClass(
      new MacroError('verification', `The delivery is refused: ${verdict.detail}.`, {
        code: verdict.reason,
        status: 401,
        hint: 'Check the secret and the clock, and that the body is the exact bytes that came.',
      }),
    );
  const { eventId: id, event, deliveryId, synthetic } = verdict.headers;
  return { id, event, deliveryId, synthetic, body: verdict.body };
}

function pairsOf(headers: GivenHeaders): HeaderPairs {
  if (isIterable(headers)) return [...headers];
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, one] as const),
  );
}

function isIterable(headers: GivenHeaders): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}
