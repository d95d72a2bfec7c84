import { describe, expect, test } from 'vitest';
import type { RateLimiter } from '../../src/client/client.ts';
import type { Wait } from '../../src/client/http/retry.ts';
import { memoryLedger } from '../../src/client/quota/ledger.ts';
import { createRateLimiter, type RateLimiterOptions } from '../../src/client/quota/rate-limiter.ts';
import { type TestClock, testClock } from '../support/clock.ts';
import { TEST_NOW } from '../support/platform.ts';
import { endpoint, failure, scene } from './support.ts';

/** At 05:46:13: the minute ends in 47 s, the hour in 827 s. */
function left(remaining: number, more: Record<string, string> = {}): Headers {
  return new Headers({
    'ratelimit-limit': '300',
    'ratelimit-remaining': `${remaining}`,
    'ratelimit-reset': '47',
    'ratelimit-policy': '300;w=60, 5000;w=3600, 1000000;w=843227',
    ...more,
  });
}

function gateAt(clock: TestClock, options: Partial<RateLimiterOptions> = {}): RateLimiter {
  return createRateLimiter({
    clock,
    ledger: memoryLedger('key:0123456789ab'),
    maxWait: 5000,
    priority: 'interactive',
    pid: 1,
    headerPrefix: 'X-SVC',
    ...options,
  });
}

const route = { route: 'GET /v1/ping' };

/** Sends one request that is answered at once. */
async function spend(gate: RateLimiter, headers: Headers, status = 200): Promise<void> {
  (await gate.reserve(route)).answered(status, headers);
}

describe('the quota gate', () => {
  test('lets pass what the service has room for', async () => {
    const clock = testClock(TEST_NOW);
    const gate = gateAt(clock);
    await spend(gate, left(2));
    await gate.reserve(route);
    await gate.reserve(route);
    expect(clock.slept).toEqual([]);
  });

  test('refuses when room comes later than allowed, and says when', async () => {
    const gate = gateAt(testClock(TEST_NOW));
    await spend(gate, left(0));
    // The answer was rounded to a second and clocks drift, so the window is surely over a little later.
    expect(await failure(gate.reserve(route))).toMatchObject({
      kind: 'quota',
      retryAfter: 49,
      message: 'The request budget of this minute is used up; it frees in 49 s.',
    });
  });

  test('waits for room as long as it may, and tells until when', async () => {
    const clock = testClock(TEST_NOW);
    const told: Wait[] = [];
    const gate = gateAt(clock, { maxWait: 60_000, onWait: (wait) => told.push(wait) });
    await spend(gate, left(0));
    await gate.reserve(route);
    expect(clock.now()).toBe(TEST_NOW + 48_025);
    expect(told).toEqual([{ ms: 48_025, reason: 'The request budget of this minute is used up.' }]);
  });

  test('counts down by itself between answers', async () => {
    const gate = gateAt(testClock(TEST_NOW), { maxWait: 0 });
    await spend(gate, left(2));
    await gate.reserve(route);
    await gate.reserve(route);
    expect(await failure(gate.reserve(route))).toMatchObject({ kind: 'quota' });
  });

  test('answers that arrive out of order do not open it', async () => {
    const gate = gateAt(testClock(TEST_NOW), { maxWait: 0 });
    await spend(gate, left(20));
    const [one, other] = [await gate.reserve(route), await gate.reserve(route)];
    other.answered(200, left(0));
    one.answered(200, left(1));
    expect(await failure(gate.reserve(route))).toMatchObject({ kind: 'quota' });
  });

  test('a count that the service took back opens it', async () => {
    const gate = gateAt(testClock(TEST_NOW), { maxWait: 0 });
    await spend(gate, left(1));
    await spend(gate, left(200));
    for (let i = 0; i < 20; i += 1) await gate.reserve(route);
  });

  test('a hit of the edge cache gives back what was set aside for it', async () => {
    const gate = gateAt(testClock(TEST_NOW), { maxWait: 0 });
    await spend(gate, left(1));
    await spend(gate, new Headers({ 'x-svc-edge-cache': 'HIT' }));
    await gate.reserve(route);
    expect(await failure(gate.reserve(route))).toMatchObject({ kind: 'quota' });
  });

  test('a request that never left gives its place back, a lost one does not', async () => {
    const gate = gateAt(testClock(TEST_NOW), { maxWait: 0 });
    await spend(gate, left(1));
    (await gate.reserve(route)).release();
    (await gate.reserve(route)).lost();
    expect(await failure(gate.reserve(route))).toMatchObject({ kind: 'quota' });
  });

  test('a 429 closes it until the binding budget frees, not the primary one', async () => {
    const gate = gateAt(testClock(TEST_NOW));
    const month = {
      'ratelimit-reset': '843227',
      'retry-after': '843227',
      'x-ratelimit-window': 'month',
      'x-ratelimit-limit': '1000000',
      'x-ratelimit-remaining': '0',
    };
    await spend(gate, left(299, month), 429);
    expect(await failure(gate.reserve(route))).toMatchObject({
      kind: 'quota',
      retryAfter: 843_227,
      message: 'The request budget of this month is used up; it frees in 9 d 19 h.',
    });
  });

  test('a 429 for too many at the same time holds the next one back for a moment', async () => {
    const clock = testClock(TEST_NOW);
    const gate = gateAt(clock);
    const full = { 'retry-after': '1', 'x-ratelimit-window': 'concurrency', 'x-ratelimit-limit': '20' };
    await spend(gate, left(299, { ...full, 'x-ratelimit-remaining': '0' }), 429);
    await gate.reserve(route);
    expect(clock.slept).toEqual([1000]);
  });

  test('a route with a budget of its own is held back alone', async () => {
    const gate = gateAt(testClock(TEST_NOW), { maxWait: 0 });
    const panel = { route: 'POST /v1/research/panel' };
    const spent = { 'x-ratelimit-window': 'endpoint', 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0' };
    (await gate.reserve(panel)).answered(200, left(270, spent));
    expect(await failure(gate.reserve(panel))).toMatchObject({
      message: 'The request budget of this route is used up; it frees in 49 s.',
    });
    await gate.reserve(route);
  });

  test.each(['-5', '1795240000', 'soon', '1e9', ''])('a reset of %j is no reset', async (reset) => {
    const gate = gateAt(testClock(TEST_NOW), { maxWait: 0 });
    await spend(gate, new Headers({ 'ratelimit-reset': reset }));
    await gate.reserve(route);
  });

  test('the first request goes alone: its answer tells what the others may', async () => {
    const clock = testClock(TEST_NOW, 'waits');
    const gate = gateAt(clock);
    const first = await gate.reserve(route);
    let passed = 0;
    void gate.reserve(route).then(() => (passed += 1));
    await clock.advance(500);
    expect(passed).toBe(0);
    first.answered(200, left(100));
    await clock.advance(500);
    expect(passed).toBe(1);
  });

  test('work in the background leaves two requests of the minute to people', async () => {
    const clock = testClock(TEST_NOW);
    const ledger = memoryLedger('key:0123456789ab');
    const person = gateAt(clock, { ledger, maxWait: 0 });
    const sync = gateAt(clock, { ledger, maxWait: 0, priority: 'background' });
    await spend(sync, left(3));
    await spend(sync, left(2));
    expect(await failure(sync.reserve(route))).toMatchObject({ kind: 'quota' });
    await person.reserve(route);
    await person.reserve(route);
    expect(await failure(person.reserve(route))).toMatchObject({ kind: 'quota' });
  });

  test('whoever stops while it waits is not left waiting', async () => {
    const clock = testClock(TEST_NOW, 'waits');
    const gate = gateAt(clock, { maxWait: 60_000 });
    await spend(gate, left(0));
    const stop = new AbortController();
    const waiting = gate.reserve({ ...route, signal: stop.signal }).catch((error: unknown) => error);
    await clock.advance(1000);
    stop.abort('enough');
    expect(await waiting).toBe('enough');
  });
});

test('a client stops sending when an answer said that the budget is spent', async () => {
  const spent = { 'ratelimit-limit': '300', 'ratelimit-remaining': '0', 'ratelimit-reset': '47' };
  const { client, upstream } = scene([{ request: 'GET /v1/ping', body: { status: 'ok' }, headers: spent }], {
    key: 'k-test',
  });
  const ping = { endpoint: endpoint('ping'), args: {} };
  await client.ask(ping);
  expect(await failure(client.ask(ping))).toMatchObject({ kind: 'quota', retryAfter: 49 });
  expect(upstream.requests).toHaveLength(1);
});

describe('a gate of somebody else', () => {
  const heard: string[] = [];
  const gate: RateLimiter = {
    async reserve({ route: name }) {
      heard.push(name);
      return {
        answered: (status, headers) => heard.push(`${status} ${headers.get('ratelimit-remaining')}`) > 0,
        release: () => void heard.push('release'),
        lost: () => void heard.push('lost'),
      };
    },
  };
  const ping = { endpoint: endpoint('ping'), args: {} };
  const failing = (code: string) =>
    ({
      request: 'GET /v1/ping',
      fails: new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }),
    }) as const;
  const good = { request: 'GET /v1/ping', body: { status: 'ok' }, headers: { 'ratelimit-remaining': '7' } } as const;

  test.each([
    ['a try that failed and the one after it', { ...good, status: 500 }, '500 7'],
    ['a request that never left', failing('ECONNREFUSED'), 'release'],
    ['a request whose answer was lost', failing('ECONNRESET'), 'lost'],
    ['a redirect and where it leads', { ...good, status: 307, headers: { location: '/v1/ping' } }, '307 null'],
  ])('is asked and told for %s', async (_, first, end) => {
    heard.length = 0;
    const { client } = scene([first, good], { limiter: gate });
    await client.ask(ping);
    expect(heard).toEqual(['GET /v1/ping', end, 'GET /v1/ping', '200 7']);
  });
});
