import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { Wait } from '../../src/client/http/retry.ts';
import { testPlatform } from '../support/platform.ts';
import type { Exchange } from '../support/upstream.ts';
import { BASE, endpoint, failure, scene } from './support.ts';

const PING = 'GET /v1/ping';
const ping = { endpoint: endpoint('ping'), args: {} };
const GOOD: Exchange = { request: PING, body: { status: 'ok', service: 'x' } };
const bad = (status: number, headers: Record<string, string> = {}): Exchange => ({
  request: PING,
  status,
  headers,
  body: '',
});
const reset = () => new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });

describe('another try', () => {
  test.each([429, 500, 502, 503, 504])('%d is tried again', async (status) => {
    const { client, upstream, clock } = scene([bad(status), GOOD]);
    expect((await client.ask(ping)).status).toBe(200);
    upstream.verify();
    expect(clock.slept).toHaveLength(1);
  });

  test('four tries in all, with pauses that double and are spread', async () => {
    const { client, upstream, clock } = scene([bad(500), bad(500), bad(500), bad(500), GOOD]);
    expect(await failure(client.ask(ping))).toMatchObject({ kind: 'upstream', status: 500 });
    expect(upstream.requests).toHaveLength(4);
    const bounds = [500, 1000, 2000];
    expect(clock.slept).toHaveLength(3);
    for (const [i, ms] of clock.slept.entries()) {
      expect(ms).toBeGreaterThanOrEqual((bounds[i] ?? 0) / 2);
      expect(ms).toBeLessThan((bounds[i] ?? 0) * 1.5);
    }
    expect(new Set(clock.slept.map((ms, i) => ms / (bounds[i] ?? 1))).size).toBe(3);
  });

  test.each([400, 401, 403, 404, 405, 409, 413, 422, 501, 505])('%d is not tried again', async (status) => {
    const { client, upstream, clock } = scene([bad(status), GOOD]);
    await failure(client.ask(ping));
    expect(upstream.requests).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test('failures of the network are tried again, and named when they stay', async () => {
    const { client, upstream } = scene([{ request: PING, fails: reset(), times: 4 }]);
    expect(await failure(client.ask(ping))).toMatchObject({
      kind: 'upstream',
      code: 'network',
      message: 'Cannot get an answer from https://api.example.test: the connection was reset. Tried 4 times.',
    });
    upstream.verify();
  });

  test('a deadline that passed is not: it is that of all tries', async () => {
    const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    const { client, upstream } = scene([{ request: PING, fails: late }]);
    expect(await failure(client.ask(ping))).toMatchObject({
      kind: 'upstream',
      code: 'timeout',
      message: 'https://api.example.test did not finish its answer in time.',
    });
    upstream.verify();
  });

  test('a certificate that does not hold is not tried again', async () => {
    const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const { client, upstream } = scene([{ request: PING, fails: new TypeError('fetch failed', { cause }) }]);
    expect(await failure(client.ask(ping))).toMatchObject({ kind: 'upstream', code: 'certificate' });
    upstream.verify();
  });

  test('an answer that broke off is tried again', async () => {
    const { client, upstream } = scene([{ request: PING, body: '{"status":"ok","servi' }, GOOD]);
    expect((await client.ask(ping)).status).toBe(200);
    upstream.verify();
  });

  test('pauses are told while they last', async () => {
    const waits: Wait[] = [];
    const { client } = scene([bad(503, { 'retry-after': '30' }), GOOD], { onWait: (wait) => waits.push(wait) });
    await client.ask(ping);
    expect(waits).toEqual([{ ms: 30_000, reason: 'The service is not available (HTTP 503 for /v1/ping).' }]);
  });

  test('a caller who stops during a pause is interrupted, not failed', async () => {
    const { platform, clock } = testPlatform({
      sleeping: 'waits',
      fetch: async () => new Response('', { status: 500 }),
    });
    const client = createClient({ platform, baseUrl: BASE });
    const stop = new AbortController();
    const call = failure(client.ask({ ...ping, signal: stop.signal }));
    while (clock.sleepers === 0) await clock.advance(0);
    stop.abort();
    expect(await call).toMatchObject({ kind: 'interrupted' });
  });

  test('a caller who stops before the start sends nothing', async () => {
    const { client, upstream } = scene([]);
    const error = await failure(client.ask({ ...ping, signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ kind: 'interrupted' });
    expect(upstream.requests).toEqual([]);
  });
});

describe('Retry-After', () => {
  test('seconds are waited exactly', async () => {
    const { client, clock } = scene([bad(429, { 'retry-after': '47' }), GOOD]);
    await client.ask(ping);
    expect(clock.slept).toEqual([47_000]);
  });

  test('a date is read by the clock of the answer', async () => {
    const dates = { date: 'Sat, 21 Nov 2026 07:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 07:00:12 GMT' };
    const { client, clock } = scene([bad(503, dates), GOOD]);
    await client.ask(ping);
    expect(clock.slept).toEqual([12_000]);
  });

  test('60 seconds are waited, 61 are not', async () => {
    const patient = scene([bad(503, { 'retry-after': '60' }), GOOD]);
    expect((await patient.client.ask(ping)).status).toBe(200);
    const refused = scene([bad(503, { 'retry-after': '61' })]);
    expect(await failure(refused.client.ask(ping))).toMatchObject({
      retryAfter: 61,
      message: expect.stringContaining('wait 61 s'),
    });
    expect(refused.clock.slept).toEqual([]);
  });

  test('a 429 that only has RateLimit-Reset waits for that', async () => {
    const { client, clock } = scene([bad(429, { 'ratelimit-reset': '13' }), GOOD]);
    await client.ask(ping);
    expect(clock.slept).toEqual([13_000]);
  });
});
