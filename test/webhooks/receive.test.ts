import { describe, expect, it } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import type { HeaderPairs } from '../../src/webhooks/receive/delivery-headers.ts';
import { type ReceiverParts, receiveDelivery } from '../../src/webhooks/receive/receive.ts';
import { BODY, bytes, HEADERS, headersWith, SECRET, TIMESTAMP } from './vector.ts';

const EVENT = {
  event_id: 'usd_inflation_1791981000',
  currency: 'usd',
  indicator: 'inflation',
  records_written: 1,
  latest_announcement: { date: '2026-09-30', val: 3.2, announcement_datetime: '2026-10-14T12:30:00Z' },
  timestamp: 1_791_981_002,
  release_timestamp: 1_791_981_000,
};

/** A receiver whose journal knows nothing, or what `record` says. */
function receiver(changes: Partial<ReceiverParts> = {}) {
  const recorded: [unknown, boolean][] = [];
  const parts: ReceiverParts = {
    secrets: () => ['whsec_old', SECRET],
    now: () => TIMESTAMP * 1000 + 999,
    record: async ({ value }, synthetic) => recorded.push([value, synthetic]),
    ...changes,
  };
  const send = (headers: HeaderPairs = HEADERS, body = BODY) => receiveDelivery({ headers, body: bytes(body) }, parts);
  return { recorded, send };
}

describe('a delivery', () => {
  it('that holds is kept, and is answered with what was not known before', async () => {
    const { recorded, send } = receiver();
    const { event = '', ...told } = await send();
    expect([told, JSON.parse(event)]).toEqual([{ status: 204 }, EVENT]);
    expect(recorded).toEqual([[EVENT, false]]);
  });

  it('of an event that is known is taken, and brings nothing new', async () => {
    expect(await receiver({ record: async () => undefined }).send()).toEqual({ status: 204 });
  });

  it('of a sandbox is kept as generated data', async () => {
    const { recorded, send } = receiver();
    await send([...HEADERS, ['x-svc-synthetic', '1']]);
    expect(recorded).toEqual([[EVENT, true]]);
  });

  it.each([
    [401, 'bad_signature', HEADERS, `${BODY}\n`],
    [400, 'stale_timestamp', headersWith({ 'x-svc-timestamp': String(TIMESTAMP - 301) }), BODY],
    [400, 'missing_header', headersWith({ 'x-svc-signature': undefined }), BODY],
    [400, 'malformed_signature', headersWith({ 'x-svc-signature': 'v1=short' }), BODY],
    [400, 'doubled_header', [...HEADERS, ['X-SVC-Timestamp', String(TIMESTAMP)] as const], BODY],
  ])('is refused with %d %s, and nothing is kept', async (status, code, headers, body) => {
    const { recorded, send } = receiver();
    expect(await send(headers, body)).toMatchObject({ status, refusal: { code } });
    expect(recorded).toEqual([]);
  });

  it.each([
    [503, 'mirror', 'mirror_locked'],
    [503, 'auth', 'no_signing_secret'],
    [400, 'protocol', 'bad_row'],
    [400, 'mirror', 'mirror_nature'],
    [400, 'mirror', 'mirror_service'],
  ] as const)('is answered %d when keeping it fails as %s', async (status, kind, code) => {
    const record = async () => {
      throw new MacroError(kind, 'It is locked.', { code });
    };
    expect(await receiver({ record }).send()).toEqual({ status, refusal: { code, detail: 'It is locked' } });
  });

  it('that meets a bug of ours is no delivery that was taken', async () => {
    const record = async () => {
      throw new TypeError('a bug');
    };
    await expect(receiver({ record }).send()).rejects.toThrow('a bug');
  });
});
