import { describe, expect, it } from 'vitest';
import type { HeaderPairs } from '../../src/webhooks/receive/delivery-headers.ts';
import { verifyDelivery } from '../../src/webhooks/receive/verify.ts';
import { signDelivery } from '../../src/webhooks/sign.ts';
import { BODY, bytes, EVENT_ID, HEADERS, headersWith, SECRET, SIGNATURE, TIMESTAMP } from './vector.ts';

interface Changes {
  readonly headers?: HeaderPairs;
  readonly body?: string;
  readonly secrets?: readonly string[];
  readonly now?: number;
}

const judge = ({ headers = HEADERS, body = BODY, secrets = [SECRET], now = TIMESTAMP }: Changes) =>
  verifyDelivery({ headers, body: bytes(body) }, { secrets, now });

/** A delivery that is signed as it should be, with other headers and another body. */
function signed(body: string, changes: Readonly<Record<string, string | undefined>> = {}): Changes {
  const eventId = changes['x-svc-event-id'] ?? EVENT_ID;
  const signature = signDelivery({ timestamp: String(TIMESTAMP), eventId, body: bytes(body) }, SECRET);
  return { body, headers: headersWith({ 'x-svc-signature': signature, ...changes }) };
}

describe('what a refused delivery is told', () => {
  it.each<[string, Changes, string, string]>([
    [
      'a signature of another form',
      { headers: headersWith({ 'x-svc-signature': 'v1=abc' }) },
      'malformed_signature',
      'the signature is not v1= and 64 lower-case hexadecimal digits',
    ],
    [
      'a digest with something before its scheme',
      { headers: headersWith({ 'x-svc-signature': `x${SIGNATURE}` }) },
      'malformed_signature',
      'the signature is not v1= and 64 lower-case hexadecimal digits',
    ],
    [
      'a digest with a digit too many',
      { headers: headersWith({ 'x-svc-signature': `${SIGNATURE}0` }) },
      'malformed_signature',
      'the signature is not v1= and 64 lower-case hexadecimal digits',
    ],
    ['another secret', { secrets: ['whsec_other'] }, 'bad_signature', 'the signature is that of none of the secrets'],
    ['a body that is no JSON', signed('not json'), 'malformed_body', 'the body is no JSON object'],
    ['a byte order mark before the JSON', signed(`\uFEFF${BODY}`), 'malformed_body', 'the body is no JSON object'],
    [
      'a timestamp that is no number',
      { headers: headersWith({ 'x-svc-timestamp': 'soon' }) },
      'malformed_timestamp',
      'the timestamp is no whole number of Unix seconds',
    ],
    [
      'a timestamp that is too old',
      { now: TIMESTAMP + 301 },
      'stale_timestamp',
      'the timestamp is 301 seconds old, and at most 300 are taken',
    ],
    [
      'a timestamp that is too early',
      { now: TIMESTAMP - 4000 },
      'stale_timestamp',
      'the timestamp is 4000 seconds ahead, and at most 300 are taken',
    ],
    [
      'a body of another event',
      signed(BODY, { 'x-svc-event-id': 'usd_gdp_1' }),
      'event_id_mismatch',
      `the header names the event usd_gdp_1, the body "${EVENT_ID}"`,
    ],
    [
      'a body with another event name',
      signed(BODY, { 'x-svc-event': 'other' }),
      'header_body_mismatch',
      `the header says other, the body's event "announcement"`,
    ],
    [
      'a body with another delivery id',
      signed(BODY, { 'x-svc-delivery-id': 'sub_x' }),
      'header_body_mismatch',
      `the header says sub_x, the body's delivery_id "sub_01hzx4m2q7_${EVENT_ID}"`,
    ],
    [
      'a header that came twice',
      { headers: [...HEADERS, ['X-SVC-Timestamp', '1']] },
      'doubled_header',
      'the header x-svc-timestamp came more than once',
    ],
    [
      'headers of two services',
      { headers: [...HEADERS, ...HEADERS.map(([name, value]) => [name.replace('X-SVC', 'X-Other'), value] as const)] },
      'unclear_headers',
      'several headers could be the signature: x-svc, x-other',
    ],
    [
      'one header that is missing',
      { headers: headersWith({ 'x-svc-event-id': undefined }) },
      'missing_header',
      'x-svc-event-id is missing',
    ],
    [
      'two headers that are missing',
      { headers: headersWith({ 'x-svc-event-id': undefined, 'x-svc-signature': undefined }) },
      'missing_header',
      'x-svc-signature and x-svc-event-id are missing',
    ],
    [
      'no header at all',
      { headers: [] },
      'missing_header',
      'x-svc-signature and x-svc-timestamp and x-svc-event-id are missing',
    ],
    [
      'headers of other kinds alone',
      { headers: [['Accept', '*/*']] },
      'missing_header',
      'x-svc-signature and x-svc-timestamp and x-svc-event-id are missing',
    ],
    [
      'headers of two services, neither whole: the one that lacks least',
      {
        headers: [
          ['X-Far-Event', 'announcement'],
          ['ACME-Signature', SIGNATURE],
          ['ACME-Timestamp', String(TIMESTAMP)],
          ['X-Near-Timestamp', String(TIMESTAMP)],
        ],
      },
      'missing_header',
      'acme-event-id is missing',
    ],
    [
      'a header whose name only begins like one of a delivery',
      { headers: [...headersWith({ 'x-svc-event-id': undefined }), ['X-SVC-Event-ID-Hash', EVENT_ID]] },
      'missing_header',
      'x-svc-event-id is missing',
    ],
  ])('%s', (_, changes, reason, detail) => {
    expect(judge(changes)).toEqual({ ok: false, reason, detail });
  });
});

describe('a delivery is taken', () => {
  it('with blanks around the names and the values of its headers', () => {
    const spaced = HEADERS.map(([name, value]) => [` ${name} `, ` ${value}\t`] as const);
    expect(judge({ headers: spaced })).toEqual(judge({}));
    expect(judge({ headers: spaced })).toMatchObject({
      ok: true,
      headers: { eventId: EVENT_ID, signature: SIGNATURE },
    });
  });

  it('where headers or body leave out what only one of them has to say', () => {
    const bare = `{"id":"${EVENT_ID}"}`;
    expect(judge(signed(bare))).toMatchObject({ ok: true, text: bare });
    const quiet = { 'x-svc-event': undefined, 'x-svc-delivery-id': undefined };
    const verdict = judge(signed(BODY, quiet));
    expect(verdict).toMatchObject({ ok: true, headers: { event: undefined, deliveryId: undefined } });
  });

  it('under the first secret that fits, where several do', () => {
    expect(judge({ secrets: ['whsec_other', SECRET, SECRET] })).toMatchObject({ ok: true, secret: 1 });
    expect(judge({ secrets: [SECRET, SECRET] })).toMatchObject({ ok: true, secret: 0 });
  });

  it('whatever other headers stand around those of the delivery', () => {
    const others: HeaderPairs = [
      ['Date', 'Wed, 14 Oct 2026 12:30:03 GMT'],
      ['-signature', 'v0=1'],
      ['Accept', '*/*'],
    ];
    expect(judge({ headers: [...others, ...HEADERS] })).toEqual(judge({}));
  });
});
