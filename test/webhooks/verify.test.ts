import { describe, expect, it } from 'vitest';
import type { HeaderPairs } from '../../src/webhooks/receive/delivery-headers.ts';
import { verifyDelivery } from '../../src/webhooks/receive/verify.ts';
import { signDelivery } from '../../src/webhooks/sign.ts';
import fc from '../support/properties.ts';
import { BODY, bytes, EVENT_ID, HEADERS, headersWith, SECRET, SIGNATURE, TIMESTAMP } from './vector.ts';

const OTHER = 'whsec_0000000000000000000000000000000000000000000000000000000000000000';

function judge(changes: { headers?: HeaderPairs; body?: Uint8Array; secrets?: readonly string[]; now?: number } = {}) {
  const { headers = HEADERS, body = bytes(BODY), secrets = [SECRET], now = TIMESTAMP } = changes;
  return verifyDelivery({ headers, body }, { secrets, now });
}
const reasonOf = (changes: Parameters<typeof judge>[0]) => {
  const verdict = judge(changes);
  return verdict.ok ? 'accepted' : verdict.reason;
};
/** A delivery of another body that is signed as it should be. */
const signed = (body: string, eventId = EVENT_ID) => ({
  body: bytes(body),
  headers: headersWith({
    'x-svc-event-id': eventId,
    'x-svc-signature': signDelivery({ timestamp: String(TIMESTAMP), eventId, body: bytes(body) }, SECRET),
  }),
});

describe('a delivery', () => {
  it('of the test vector is accepted, with what its headers and its body say', () => {
    expect(judge()).toEqual({
      ok: true,
      headers: {
        prefix: 'x-svc',
        timestamp: String(TIMESTAMP),
        eventId: EVENT_ID,
        signature: SIGNATURE,
        event: 'announcement',
        deliveryId: `sub_01hzx4m2q7_${EVENT_ID}`,
        synthetic: false,
      },
      body: JSON.parse(BODY),
      text: BODY,
      secret: 0,
    });
  });

  it.each([
    [-301, 'stale_timestamp'],
    [-300, 'accepted'],
    [300, 'accepted'],
    [301, 'stale_timestamp'],
  ])('whose clock is off by %i seconds is %s', (off, expected) => {
    expect(reasonOf({ now: TIMESTAMP + off })).toBe(expected);
  });

  it('is accepted under any of several secrets, and says under which', () => {
    expect(judge({ secrets: [OTHER, SECRET] })).toMatchObject({ ok: true, secret: 1 });
    expect(reasonOf({ secrets: [OTHER] })).toBe('bad_signature');
    expect(reasonOf({ secrets: [] })).toBe('bad_signature');
  });

  it('may carry several signatures; schemes that are not known are passed over', () => {
    const many = `v0=abc, v1=${'0'.repeat(64)}, ${SIGNATURE}`;
    expect(reasonOf({ headers: headersWith({ 'x-svc-signature': many }) })).toBe('accepted');
  });

  it('is found under any prefix, in any case', () => {
    const renamed = HEADERS.map(([name, value]) => [name.replace('X-SVC', 'ACME-hook').toUpperCase(), value] as const);
    expect(judge({ headers: renamed })).toMatchObject({ ok: true, headers: { prefix: 'acme-hook' } });
  });

  it.each<[string, Parameters<typeof judge>[0], string]>([
    ['without a signature', { headers: headersWith({ 'x-svc-signature': undefined }) }, 'missing_header'],
    ['without a timestamp', { headers: headersWith({ 'x-svc-timestamp': undefined }) }, 'missing_header'],
    ['without an event id', { headers: headersWith({ 'x-svc-event-id': undefined }) }, 'missing_header'],
    ['without any header', { headers: [] }, 'missing_header'],
    ['with a header twice', { headers: [...HEADERS, ['x-svc-timestamp', '1']] }, 'doubled_header'],
    ['with the event id twice', { headers: [...HEADERS, ['X-Svc-Event-Id', EVENT_ID]] }, 'doubled_header'],
    ['with headers of two prefixes', { headers: [...HEADERS, ...renamedHeaders()] }, 'unclear_headers'],
    ['with a timestamp that is none', { headers: headersWith({ 'x-svc-timestamp': '1.79e9' }) }, 'malformed_timestamp'],
    ['with an empty timestamp', { headers: headersWith({ 'x-svc-timestamp': '' }) }, 'malformed_timestamp'],
    ['with a timestamp below zero', { headers: headersWith({ 'x-svc-timestamp': '-5' }) }, 'malformed_timestamp'],
    [
      'with its digest in upper case',
      { headers: headersWith({ 'x-svc-signature': SIGNATURE.toUpperCase().replace('V1', 'v1') }) },
      'malformed_signature',
    ],
    ['with a short digest', { headers: headersWith({ 'x-svc-signature': 'v1=abc' }) }, 'malformed_signature'],
    ['with an empty signature', { headers: headersWith({ 'x-svc-signature': '' }) }, 'malformed_signature'],
    ['with another event id', { headers: headersWith({ 'x-svc-event-id': 'usd_gdp_1' }) }, 'bad_signature'],
    ['with another timestamp', { headers: headersWith({ 'x-svc-timestamp': String(TIMESTAMP + 1) }) }, 'bad_signature'],
    ['with another body', { body: bytes(BODY.replace('3.2', '3.3')) }, 'bad_signature'],
    ['with an empty body', { body: bytes('') }, 'bad_signature'],
    ['with a body that is no JSON', signed('not json'), 'malformed_body'],
    ['with a body that is a list', signed('[]'), 'malformed_body'],
    ['with an event id that is not the one of its body', signed(BODY, 'usd_gdp_1'), 'event_id_mismatch'],
    ['without an id in its body', signed('{"event":"announcement"}'), 'event_id_mismatch'],
    ['with another event name', signed(BODY.replace('"announcement"', '"other"')), 'header_body_mismatch'],
    ['with another delivery id', signed(BODY.replace('"sub_01hzx4m2q7_', '"sub_x_')), 'header_body_mismatch'],
  ])('%s is refused', (_, changes, reason) => {
    expect(reasonOf(changes)).toBe(reason);
  });

  it('says that a body without an id names no event', () => {
    expect(judge(signed('{"event":"announcement"}'))).toMatchObject({
      detail: `the header names the event ${EVENT_ID}, the body names none: it has no id`,
    });
  });

  it('whose bytes are not UTF-8 is refused', () => {
    const body = Buffer.concat([bytes('{"id":"'), Buffer.from([0xff]), bytes('"}')]);
    const signature = signDelivery({ timestamp: String(TIMESTAMP), eventId: EVENT_ID, body }, SECRET);
    expect(reasonOf({ body, headers: headersWith({ 'x-svc-signature': signature }) })).toBe('malformed_body');
  });
});

function renamedHeaders(): HeaderPairs {
  return HEADERS.map(([name, value]) => [name.replace('X-SVC', 'X-Other'), value] as const);
}

describe('of 100,000 deliveries that were altered on their way', () => {
  const flipped = (text: string, at: number) => {
    const buffer = Buffer.from(text);
    const place = at % buffer.length;
    buffer[place] = (buffer[place] ?? 0) ^ (1 + (at % 127));
    return buffer;
  };
  /** One of each kind for a number: a bit of body, signature, time or id; a clock; a byte more or less; another secret. */
  const alterations: readonly ((n: number) => Parameters<typeof judge>[0])[] = [
    (n) => ({ body: flipped(BODY, n) }),
    (n) => ({ headers: headersWith({ 'x-svc-signature': flipped(SIGNATURE, n).toString('latin1') }) }),
    (n) => ({ headers: headersWith({ 'x-svc-timestamp': String(TIMESTAMP + 1 + (n % 300)) }) }),
    (n) => ({ headers: headersWith({ 'x-svc-event-id': flipped(EVENT_ID, n).toString('latin1') }) }),
    (n) => ({ now: TIMESTAMP + (n % 2 === 0 ? 301 + n : -301 - n) }),
    (n) => ({ body: bytes(BODY + ' '.repeat(1 + (n % 50))) }),
    (n) => ({ body: bytes(BODY.slice(0, n % BODY.length)) }),
    (n) => ({ secrets: [flipped(SECRET, n).toString('latin1')] }),
  ];

  it('none is accepted', () => {
    const accepted: number[] = [];
    for (let n = 0; n < 100_000; n += 1)
      if (reasonOf(alterations[n % alterations.length]?.(n)) === 'accepted') accepted.push(n);
    expect(accepted).toEqual([]);
  });

  it('no header, whatever stands in it, makes the check fail with anything but a refusal', () => {
    const name = fc.constantFrom('X-SVC-Signature', 'x-svc-timestamp', 'X-SVC-Event-ID', '-signature', 'signature', '');
    const headers = fc.array(fc.tuple(name, fc.string({ unit: 'binary' })), { maxLength: 6 });
    fc.assert(
      fc.property(headers, fc.uint8Array(), (list, body) => judge({ headers: list, body }).ok === false),
      { numRuns: 500 },
    );
  });
});
