import { expect, test } from 'vitest';
import { type CallerAccount, charge, createLimits, refusalOf, windowsAt } from '../../src/serve/access/limits.ts';
import { addLimitHeaders } from '../../src/serve/reply/send.ts';
import { DESCRIBED, KEY, keyedLimits, serveScripted, VARY } from './scripted-source.ts';

const KEYED = { kind: 'keyed', plan: 'individual' } as const;
const KEYLESS = { kind: 'keyless' } as const;
const second = (iso: string) => Date.parse(iso) / 1000;
const now = windowsAt(second('2026-11-21T05:46:13Z'));

function headersOf(account: CallerAccount): Record<string, unknown> {
  const list: string[] = [];
  addLimitHeaders(list, account, { windows: now, refusal: refusalOf(account, now) });
  const pairs = list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]]] : []));
  return Object.fromEntries(pairs);
}

function chargeTimes(account: CallerAccount, times: number): void {
  for (let i = 0; i < times; i += 1) charge(account);
}

// Four answers by the rules of docs/interface-access.md#rate-limits, at 2026-11-21T05:46:13Z.

test('the minute has least headroom', () => {
  const account = createLimits().account(KEYED, 'a', now);
  chargeTimes(account, 288);
  expect(headersOf(account)).toEqual({
    'RateLimit-Limit': '300',
    'RateLimit-Remaining': '12',
    'RateLimit-Reset': '47',
    'RateLimit-Policy': '300;w=60, 5000;w=3600, 1000000;w=843227',
    'X-RateLimit-Limit': '300',
    'X-RateLimit-Remaining': '12',
    'X-RateLimit-Window': 'minute',
  });
});

test('the hour has least headroom', () => {
  const limits = createLimits();
  chargeTimes(limits.account(KEYED, 'a', windowsAt(second('2026-11-21T05:10:00Z'))), 4950);
  const account = limits.account(KEYED, 'a', now);
  chargeTimes(account, 10);
  expect(headersOf(account)).toEqual({
    'RateLimit-Limit': '300',
    'RateLimit-Remaining': '290',
    'RateLimit-Reset': '47',
    'RateLimit-Policy': '300;w=60, 5000;w=3600, 1000000;w=843227',
    'X-RateLimit-Limit': '5000',
    'X-RateLimit-Remaining': '40',
    'X-RateLimit-Window': 'hour',
  });
});

test('the keyless day is gone', () => {
  const account = createLimits().account(KEYLESS, '127.0.0.1', now);
  chargeTimes(account, 100);
  expect(refusalOf(account, now)).toEqual({ window: 'day', limit: 100, wait: 65_627 });
  expect(headersOf(account)).toEqual({
    'RateLimit-Limit': '100',
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': '65627',
    'RateLimit-Policy': '100;w=86400',
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Window': 'day',
  });
});

test('the month is gone', () => {
  const limits = createLimits();
  chargeTimes(limits.account(KEYED, 'a', windowsAt(second('2026-11-02T00:00:00Z'))), 999_999);
  const account = limits.account(KEYED, 'a', now);
  charge(account);
  expect(headersOf(account)).toEqual({
    'RateLimit-Limit': '300',
    'RateLimit-Remaining': '299',
    'RateLimit-Reset': '843227',
    'RateLimit-Policy': '300;w=60, 5000;w=3600, 1000000;w=843227',
    'X-RateLimit-Limit': '1000000',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Window': 'month',
  });
});

test('of several spent budgets the one that frees last binds', () => {
  const limits = createLimits();
  chargeTimes(limits.account(KEYED, 'a', windowsAt(second('2026-11-21T05:10:00Z'))), 4700);
  const account = limits.account(KEYED, 'a', now);
  chargeTimes(account, 300);
  expect(refusalOf(account, now)).toEqual({ window: 'hour', limit: 5000, wait: 827 });
});

test('of equal headroom the shorter window is told', () => {
  const account = createLimits().account(KEYED, 'a', now);
  expect(headersOf(account)['X-RateLimit-Window']).toBe('minute');
});

test.each([
  ['2026-11-21T05:46:59Z', '2026-11-21T05:47:00Z', 'minute'],
  ['2026-11-21T05:59:59Z', '2026-11-21T06:00:00Z', 'hour'],
  ['2026-11-21T23:59:59Z', '2026-11-22T00:00:00Z', 'day'],
  ['2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z', 'month'],
  ['2028-02-29T23:59:59Z', '2028-03-01T00:00:00Z', 'month'],
] as const)('the window of %s ends at %s', (before, after, window) => {
  expect(windowsAt(second(before)).left[window]).toBe(1);
  expect(windowsAt(second(after)).start[window]).toBe(second(after));
});

test('memory is bounded: many callers push the first ones out', () => {
  const limits = createLimits();
  charge(limits.account(KEYLESS, 'first', now));
  for (let i = 0; i < 50_000; i += 1) limits.account(KEYLESS, `address ${i}`, now);
  expect(limits.account(KEYLESS, 'first', now).used).toEqual([0]);
  const last = limits.account(KEYLESS, 'address 49999', now);
  expect(limits.account(KEYLESS, 'address 49999', now)).toBe(last);
});

test('a key that asks 301 times in a minute gets one 429 with all headers and its body', async () => {
  const { ask, source } = await serveScripted();
  for (let i = 0; i < 300; i += 1) expect((await ask('/v1/forex/EUR/USD', KEY)).status).toBe(200);
  const told = await ask('/v1/forex/EUR/USD', KEY);
  expect(told.status).toBe(429);
  expect(told.json).toEqual({
    detail: 'Minute quota of 300 requests is used up.',
    code: 'rate_limit_exceeded',
    error: 'rate_limit_exceeded',
    window: 'minute',
    limit: 300,
    retry_after: 47,
  });
  expect(told.headers).toEqual({
    'content-type': 'application/json',
    'content-length': String(told.bytes.length),
    'cache-control': 'no-store',
    vary: VARY,
    'x-content-type-options': 'nosniff',
    link: DESCRIBED,
    'x-svc-edge-cache': 'BYPASS',
    'retry-after': '47',
    ...keyedLimits(300),
  });
  expect(source.asked).toHaveLength(2);
});

test('a refused request is not counted, another key is not touched, and the next minute is free', async () => {
  const { ask, world } = await serveScripted();
  for (let i = 0; i < 305; i += 1) await ask('/v1/forex/EUR/USD', KEY);
  expect((await ask('/v1/forex/EUR/USD', { 'x-api-key': 'another' })).headers).toMatchObject(keyedLimits(1));
  await world.clock.advance(47_000);
  const told = await ask('/v1/forex/EUR/USD', KEY);
  expect(told.status).toBe(200);
  // 4699 of 5000 is less than 299 of 300: the hour has least headroom now.
  expect(told.headers).toMatchObject({
    'ratelimit-remaining': '299',
    'x-ratelimit-remaining': '4699',
    'x-ratelimit-window': 'hour',
  });
});

test('the keyless day: a hundred requests of an address, in the words of the service', async () => {
  const { ask } = await serveScripted();
  const other = { remoteAddress: '10.0.0.9' };
  for (let i = 0; i < 100; i += 1) expect((await ask(`/v1/calendar/usd?n=${i}`)).status).toBe(200);
  const told = await ask('/v1/calendar/usd?n=new');
  expect(told.status).toBe(429);
  expect(told.json).toEqual({
    detail: 'Keyless daily quota of 100 requests is used up.',
    code: 'anonymous_usd_rate_limit_exceeded',
    error: 'anonymous_usd_rate_limit_exceeded',
  });
  expect(told.headers['retry-after']).toBe('65627');
  expect(told.headers['ratelimit-reset']).toBe('65627');
  expect((await ask('/v1/calendar/usd?n=new', {}, other)).status).toBe(200);
  expect((await ask('/v1/ping')).status).toBe(200);
  expect((await ask('/openapi.json')).status).toBe(200);
});

test('what counts and what does not', async () => {
  const { ask, source } = await serveScripted();
  const left = async () => Number((await ask('/v1/ping', KEY)).headers['ratelimit-remaining']);
  await ask('/v1/health', KEY);
  await ask('/v1/openapi.json', KEY);
  await ask('/v1/nothing/here', KEY);
  expect(await left()).toBe(300);
  await ask('/v1/forex/EUR/USD', KEY);
  await ask('/v1/forex/EUR/USD?limit=0', KEY);
  await ask('/v1/data_catalogue/XYZ', KEY);
  await ask('/v1/forex/EUR/USD', { ...KEY, 'if-none-match': '*' });
  await ask('/v1/forex/EUR/USD', KEY, { method: 'POST' });
  source.says(() => {
    throw new Error('a bug');
  });
  await ask('/v1/calendar/USD', KEY);
  expect(await left()).toBe(294);
});

test('the twenty-first request at a time waits a second', async () => {
  const { ask, source } = await serveScripted();
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  source.says(() => gate.then(() => ({})));
  const running = Array.from({ length: 20 }, (_, i) => ask(`/v1/forex/EUR/USD?offset=${i}`, KEY));
  await expect.poll(() => source.asked.length).toBe(20);
  const told = await ask('/v1/forex/EUR/USD?offset=20', KEY);
  expect(told.json).toEqual({
    detail: 'More than 20 requests at the same time.',
    code: 'rate_limit_exceeded',
    error: 'rate_limit_exceeded',
    window: 'concurrency',
    limit: 20,
    retry_after: 1,
  });
  expect(told.headers).toMatchObject({
    ...keyedLimits(20),
    'retry-after': '1',
    'ratelimit-reset': '1',
    'x-ratelimit-limit': '20',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-window': 'concurrency',
  });
  open();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect((await ask('/v1/forex/EUR/USD?offset=20', KEY)).status).toBe(200);
});

test('without quotas no answer speaks of them', async () => {
  const { ask } = await serveScripted({ quotas: false });
  for (let i = 0; i < 310; i += 1) expect((await ask('/v1/forex/EUR/USD', KEY)).status).toBe(200);
  const { headers } = await ask('/v1/forex/EUR/USD', KEY);
  expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
});
