import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { HeaderPairs } from '../../src/webhooks/receive/delivery-headers.ts';
import { explainSignature } from '../../src/webhooks/receive/explain.ts';
import { BODY, bytes, EVENT_ID, HEADERS, headersWith, SECRET, TIMESTAMP } from './vector.ts';

const SPACED = '{"id": "usd_gdp_1", "list": [1, 2], "text": "a: b,c"}';
const signedAs = (message: string, key: string | Uint8Array = SECRET) =>
  headersWith({ 'x-svc-signature': `v1=${createHmac('sha256', key).update(message).digest('hex')}` });
const whole = `${TIMESTAMP}.${EVENT_ID}.${BODY}`;
const bare = SECRET.replace('whsec_', '');

describe('a signature that does not hold is explained by', () => {
  it.each<[string, string, Parameters<typeof explainSignature>[0], string]>([
    ['added_newline', 'a line end behind the body', { headers: HEADERS, body: bytes(`${BODY}\n`) }, SECRET],
    ['added_newline', 'a line end of Windows', { headers: HEADERS, body: bytes(`${BODY}\r\n`) }, SECRET],
    ['added_newline', 'a line end taken away', { headers: signedAs(`${whole}\n`), body: bytes(BODY) }, SECRET],
    ['byte_order_mark', 'a mark before the body', { headers: HEADERS, body: bytes(`\uFEFF${BODY}`) }, SECRET],
    [
      'reserialised_json',
      'indentation',
      { headers: HEADERS, body: bytes(JSON.stringify(JSON.parse(BODY), null, 2)) },
      SECRET,
    ],
    [
      'reserialised_json',
      'blanks taken out',
      { headers: signedAs(`${TIMESTAMP}.${EVENT_ID}.${SPACED}`), body: bytes(JSON.stringify(JSON.parse(SPACED))) },
      SECRET,
    ],
    [
      'wrong_event_id',
      'another id in the header',
      { headers: headersWith({ 'x-svc-event-id': 'usd_gdp_1' }), body: bytes(BODY) },
      SECRET,
    ],
    ['secret_with_space', 'a line end behind the secret', { headers: HEADERS, body: bytes(BODY) }, `${SECRET}\n`],
    ['secret_without_prefix', 'a secret without its prefix', { headers: HEADERS, body: bytes(BODY) }, bare],
    [
      'secret_decoded',
      'a key decoded from base64',
      { headers: signedAs(whole, Buffer.from(bare, 'base64')), body: bytes(BODY) },
      SECRET,
    ],
    ['other_scheme', 'a signature of the body alone', { headers: signedAs(BODY), body: bytes(BODY) }, SECRET],
    [
      'other_scheme',
      'id before time',
      { headers: signedAs(`${EVENT_ID}.${TIMESTAMP}.${BODY}`), body: bytes(BODY) },
      SECRET,
    ],
  ])('%s: %s', (name, _, delivery, secret) => {
    expect(explainSignature(delivery, [secret])?.name).toBe(name);
  });

  it('cut_body: a body shorter than its content-length says, unless that is the length of a packed one', () => {
    const sent = [...HEADERS, ['Content-Length', '377'] as const];
    const explained = (headers: HeaderPairs, body: string) =>
      explainSignature({ headers, body: bytes(body) }, [SECRET]);
    expect(explained(sent, BODY.slice(0, 200))).toEqual({
      name: 'cut_body',
      detail: 'the body was cut: 200 of the 377 bytes of its content-length are there',
    });
    expect(explained([...sent, ['content-encoding', 'gzip']], BODY.slice(0, 200))).toBeUndefined();
    expect(explained(sent, BODY.replace('3.2', '3.3'))).toBeUndefined();
    expect(explained(HEADERS, BODY.slice(0, 200))).toBeUndefined();
  });

  it('nothing that is likely, where a value was altered or the secret is another one', () => {
    expect(explainSignature({ headers: HEADERS, body: bytes(BODY.replace('3.2', '3.3')) }, [SECRET])).toBeUndefined();
    expect(explainSignature({ headers: HEADERS, body: bytes(BODY) }, ['whsec_other'])).toBeUndefined();
    expect(explainSignature({ headers: [], body: bytes(BODY) }, [SECRET])).toBeUndefined();
  });
});
