import { describe, expect, test } from 'vitest';
import { createQuotaGate, isEdgeHit } from '../../src/client/gate.ts';
import { testClock } from '../support/clock.ts';
import { endpoint, failure, scene } from './support.ts';

const left = (remaining: number, reset: number, more: Record<string, string> = {}) =>
  new Headers({
    'ratelimit-limit': '300',
    'ratelimit-remaining': `${remaining}`,
    'ratelimit-reset': `${reset}`,
    ...more,
  });

describe('the quota gate', () => {
  test('knows nothing at first and lets everything pass', async () => {
    const clock = testClock(0);
    const gate = createQuotaGate({ clock });
    for (let i = 0; i < 1000; i += 1) await gate.admit();
    expect(clock.slept).toEqual([]);
  });

  test('waits for a window that frees soon', async () => {
    const clock = testClock(0);
    const gate = createQuotaGate({ clock });
    gate.observe(200, left(0, 4));
    await gate.admit();
    expect(clock.slept).toEqual([4000]);
    await gate.admit();
    expect(clock.slept).toEqual([4000]);
  });

  test('refuses when it would take longer, and says when', async () => {
    const gate = createQuotaGate({ clock: testClock(0) });
    gate.observe(200, left(0, 47, { 'x-ratelimit-window': 'minute' }));
    expect(await failure(gate.admit())).toMatchObject({
      kind: 'quota',
      retryAfter: 47,
      message: 'The request budget of this minute is used up; it frees in 47 s.',
    });
  });

  test('opens again when the window has ended', async () => {
    const clock = testClock(0);
    const gate = createQuotaGate({ clock });
    gate.observe(200, left(0, 47));
    await clock.advance(47_000);
    await gate.admit();
    expect(clock.slept).toEqual([]);
  });

  test('counts down by itself between answers', async () => {
    const gate = createQuotaGate({ clock: testClock(0), maxWait: 0 });
    await gate.admit();
    gate.observe(200, left(2, 30));
    await gate.admit();
    await gate.admit();
    expect(await failure(gate.admit())).toMatchObject({ kind: 'quota', retryAfter: 30 });
  });

  test('answers that arrive out of order do not open it', async () => {
    const gate = createQuotaGate({ clock: testClock(0), maxWait: 0 });
    gate.observe(200, left(0, 30));
    gate.observe(200, left(5, 30));
    expect(await failure(gate.admit())).toMatchObject({ kind: 'quota' });
  });

  test('a hit of the edge cache gives back what was set aside for it', async () => {
    const gate = createQuotaGate({ clock: testClock(0), maxWait: 0 });
    gate.observe(200, left(1, 30));
    await gate.admit();
    gate.observe(200, new Headers({ 'x-svc-edge-cache': 'HIT' }));
    await gate.admit();
    expect(await failure(gate.admit())).toMatchObject({ kind: 'quota' });
  });

  test('a 429 closes it until the binding budget frees, not the primary one', async () => {
    const gate = createQuotaGate({ clock: testClock(0) });
    gate.observe(429, left(299, 843_227, { 'retry-after': '843227', 'x-ratelimit-window': 'month' }));
    expect(await failure(gate.admit())).toMatchObject({
      kind: 'quota',
      retryAfter: 843_227,
      message: 'The request budget of this month is used up; it frees in 9 d 19 h.',
    });
  });

  test.each(['-5', '1795240000', 'soon', '1e9', ''])('a reset of %j is no reset', async (reset) => {
    const gate = createQuotaGate({ clock: testClock(0), maxWait: 0 });
    gate.observe(200, new Headers({ 'ratelimit-remaining': '0', 'ratelimit-reset': reset }));
    await gate.admit();
  });

  test('two that wait for the last place take it one after the other', async () => {
    const clock = testClock(0, 'waits');
    const gate = createQuotaGate({ clock });
    gate.observe(200, left(0, 3));
    const done: number[] = [];
    void gate.admit().then(() => done.push(clock.now()));
    void gate.admit().then(() => done.push(clock.now()));
    await clock.advance(2999);
    expect(done).toEqual([]);
    await clock.advance(1);
    expect(done).toEqual([3000, 3000]);
  });
});

describe('the edge cache', () => {
  test.each([
    ['HIT', true],
    ['hit', true],
    ['HIT-STORE', true],
    ['MISS', false],
    ['BYPASS', false],
  ])('%s is a hit: %s', (value, hit) => {
    expect(isEdgeHit(new Headers({ 'X-SVC-Edge-Cache': value }), 'X-SVC')).toBe(hit);
  });
});

test('a client stops sending when an answer said that the budget is spent', async () => {
  const { client, upstream } = scene([
    {
      request: 'GET /v1/ping',
      body: { status: 'ok' },
      headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': '40' },
    },
  ]);
  const ping = { endpoint: endpoint('ping'), args: {} };
  await client.ask(ping);
  expect(await failure(client.ask(ping))).toMatchObject({ kind: 'quota', retryAfter: 40 });
  expect(upstream.requests).toHaveLength(1);
});

test('a gate of somebody else is asked before and told after each request', async () => {
  const heard: string[] = [];
  const gate = {
    admit: async () => void heard.push('admit'),
    observe: (status: number, headers: Headers) => void heard.push(`${status} ${headers.get('ratelimit-remaining')}`),
  };
  const headers = { 'ratelimit-remaining': '7' };
  const { client } = scene(
    [
      { request: 'GET /v1/ping', status: 500, headers },
      { request: 'GET /v1/ping', body: { status: 'ok' }, headers },
    ],
    { gate },
  );
  await client.ask({ endpoint: endpoint('ping'), args: {} });
  expect(heard).toEqual(['admit', '500 7', 'admit', '200 7']);
});
