import { describe, expect, it } from 'vitest';
import { DELIVERY_POLICY, judgeAttempt, type Met } from '../../src/webhooks/send/deliver.ts';

const AT = Date.parse('2026-10-14T12:30:00Z');
const answer = (status: number, headers: Record<string, string> = {}): Met => ({
  status,
  headers: new Headers(headers),
});
/** In the middle of the jitter, unless said otherwise. */
const judge = (met: Met, attempt = 1, random = 0.5) => judgeAttempt(met, { attempt, at: AT, random }, DELIVERY_POLICY);
const waitAfter = (met: Met, attempt = 1, random = 0.5) => {
  const result = judge(met, attempt, random);
  return result.kind === 'retry' ? (result.at - AT) / 1000 : result;
};

// See docs/interface-events.md#webhook-deliveries.
describe('an attempt', () => {
  it.each([200, 201, 202, 204, 299])('that is answered %i is a success', (status) => {
    expect(judge(answer(status))).toEqual({ kind: 'succeeded' });
  });

  it.each([408, 425, 429, 500, 502, 503, 504, 599])('that is answered %i is made again', (status) => {
    expect(judge(answer(status))).toEqual({ kind: 'retry', error: `status ${status}`, at: AT + 5000 });
  });

  it.each([301, 302, 303, 307, 308, 304, 400, 401, 403, 404, 405, 409, 413, 422])(
    'that is answered %i has failed for good',
    (status) => {
      expect(judge(answer(status, { 'Retry-After': '5' }))).toEqual({ kind: 'failed', error: `status ${status}` });
    },
  );

  it('that is answered 410 ends the subscription', () => {
    expect(judge(answer(410))).toEqual({ kind: 'failed', error: 'status 410', disables: 'gone' });
  });

  it('without an answer is made again, unless nothing could come of it', () => {
    expect(judge({ error: 'timeout' })).toEqual({ kind: 'retry', error: 'timeout', at: AT + 5000 });
    expect(judge({ error: 'destination refused: private_address', final: true })).toEqual({
      kind: 'failed',
      error: 'destination refused: private_address',
    });
  });

  it('is one of eight, over 27.6 hours', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => waitAfter(answer(503), attempt));
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, { kind: 'failed', error: 'status 503' }]);
  });

  it('waits a tenth more or less', () => {
    expect(waitAfter(answer(503), 2, 0)).toBe(270);
    expect(waitAfter(answer(503), 2, 0.999_999)).toBe(330);
  });

  it('waits as long as it is asked to, up to an hour, and never shorter', () => {
    expect(waitAfter(answer(429, { 'Retry-After': '60' }))).toBe(60);
    expect(waitAfter(answer(503, { 'Retry-After': 'Wed, 14 Oct 2026 12:32:00 GMT' }))).toBe(120);
    expect(waitAfter(answer(503, { 'Retry-After': '86400' }))).toBe(3600);
    expect(waitAfter(answer(503, { 'Retry-After': '1' }))).toBe(5);
    expect(waitAfter(answer(503, { 'Retry-After': '86400' }), 4)).toBe(7200);
    expect(waitAfter(answer(503, { 'Retry-After': 'soon' }))).toBe(5);
  });
});
