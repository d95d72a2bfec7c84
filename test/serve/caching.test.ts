import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { testPlatform } from '../support/platform.ts';
import { DESCRIBED, KEY, keyedLimits, keylessLimits, serveScripted, VARY } from './scripted-source.ts';

const ETAG = 'W/"0123456789abcdef0123456789abcdef"';
const OTHER = 'W/"ffffffffffffffffffffffffffffffff"';

test('a keyed answer has these headers and no others', async () => {
  const { ask } = await serveScripted();
  const told = await ask('/v1/forex/EUR/USD', KEY);
  expect([told.status, told.body]).toEqual([200, '{"ok":true}']);
  expect(told.headers).toEqual({
    'content-type': 'application/json',
    'content-length': '11',
    'cache-control': 'private, max-age=0, must-revalidate',
    etag: ETAG,
    vary: VARY,
    'x-content-type-options': 'nosniff',
    link: DESCRIBED,
    'x-svc-mirror': 'complete',
    'x-svc-mirror-checked': '2026-11-21T05:46:13Z',
    'x-svc-edge-cache': 'BYPASS',
    ...keyedLimits(1),
  });
});

test('a keyless answer is a MISS that counts, its repeat a HIT that is free and silent about budgets', async () => {
  const { ask, source } = await serveScripted();
  const url = '/v1/announcements/usd/inflation';
  // 05:46:13 is 227 seconds before 05:50:00, the next step of five minutes.
  const common = {
    'content-type': 'application/json',
    'content-length': '11',
    'cache-control': 'public, max-age=227',
    etag: ETAG,
    vary: VARY,
    'x-content-type-options': 'nosniff',
    link: DESCRIBED,
    'x-svc-mirror': 'complete',
    'x-svc-mirror-checked': '2026-11-21T05:46:13Z',
  };
  expect((await ask(url)).headers).toEqual({ ...common, 'x-svc-edge-cache': 'MISS', ...keylessLimits(1) });
  expect((await ask(url)).headers).toEqual({ ...common, 'x-svc-edge-cache': 'HIT' });
  expect((await ask(url, {}, { remoteAddress: '10.0.0.9' })).headers).toEqual({ ...common, 'x-svc-edge-cache': 'HIT' });
  expect((await ask(`${url}?limit=5`)).headers).toMatchObject(keylessLimits(2));
  expect(source.asked).toHaveLength(3);
});

test('the next step of five minutes asks the source again, with the validator it has', async () => {
  const { ask, source, world } = await serveScripted();
  const url = '/v1/announcements/usd/inflation';
  await ask(url);
  await ask(url);
  await world.clock.advance(226_000);
  expect((await ask(url)).headers).toMatchObject({ 'x-svc-edge-cache': 'HIT', 'cache-control': 'public, max-age=1' });
  await world.clock.advance(1_000);
  const told = await ask(url);
  expect(told.headers).toMatchObject({ 'x-svc-edge-cache': 'MISS', 'cache-control': 'public, max-age=300' });
  expect([told.status, told.body]).toEqual([200, '{"ok":true}']);
  expect(told.headers['x-svc-mirror-checked']).toBe('2026-11-21T05:50:00Z');
  expect(source.asked.map(({ context }) => context.ifNoneMatch)).toEqual([undefined, undefined, ETAG]);
});

test.each([
  ['/v1/calendar/usd', {}, 'public, max-age=3600'],
  ['/v1/risk_sentiment', {}, 'public, max-age=21600'],
  ['/v1/fx/sources', {}, 'public, max-age=86400'],
  ['/v1/announcements/usd/latest', {}, 'public, max-age=227'],
  ['/v1/announcements/usd/latest', KEY, 'private, max-age=0, must-revalidate'],
  ['/v1/ping', {}, 'public, max-age=0'],
  ['/v1/openapi.json', {}, 'public, max-age=86400'],
  ['/v1/announcements/changes', {}, 'no-store'],
  ['/v1/announcements/changes', KEY, 'no-store'],
])('%s with %j may be kept as: %s', async (url, headers, control) => {
  const { ask } = await serveScripted();
  expect((await ask(url, headers)).headers['cache-control']).toBe(control);
});

test('changes are asked of the source every time', async () => {
  const { ask, source } = await serveScripted();
  await ask('/v1/announcements/changes');
  expect((await ask('/v1/announcements/changes')).headers['x-svc-edge-cache']).toBe('MISS');
  expect(source.asked).toHaveLength(2);
});

test('an answer without a validator is made anew each time', async () => {
  const { ask, source } = await serveScripted();
  source.says(() => ({ etag: null }));
  const first = await ask('/v1/market_sessions');
  expect(first.headers).not.toHaveProperty('etag');
  expect((await ask('/v1/market_sessions', { 'if-none-match': '*' })).status).toBe(200);
  expect(source.asked).toHaveLength(2);
});

test('keyed repeats inside a second are answered from memory, and counted', async () => {
  const { ask, source, world } = await serveScripted();
  // What was asked once may never be asked again: the second answer is kept.
  await ask('/v1/forex/EUR/USD', KEY);
  await ask('/v1/forex/EUR/USD', KEY);
  expect((await ask('/v1/forex/EUR/USD', KEY)).headers).toMatchObject(keyedLimits(3));
  expect(source.asked).toHaveLength(2);
  await world.clock.advance(1_000);
  await ask('/v1/forex/EUR/USD', KEY);
  expect(source.asked.map(({ context }) => context.ifNoneMatch)).toEqual([undefined, undefined, ETAG]);
});

test('a commit to the mirror is seen at once, by keyed and keyless callers', async () => {
  let version = 1;
  const mirror = { state: () => version, look: async () => version, find: async () => [] };
  const { ask, source } = await serveScripted({}, { mirror });
  await ask('/v1/calendar/usd');
  await ask('/v1/calendar/usd', KEY);
  version = 2;
  source.says(() => ({ body: { ok: 'new' }, etag: OTHER }));
  for (const headers of [{}, KEY]) {
    const told = await ask('/v1/calendar/usd', headers);
    expect([told.body, told.headers.etag]).toEqual(['{"ok":"new"}', OTHER]);
  }
});

test('the mirror is looked at once a turn of the event loop, and again in the next', async () => {
  const { platform } = testPlatform();
  let turn = 1;
  let [version, looks] = [1, 0];
  const mirror = {
    find: async () => [],
    state() {
      looks += 1;
      return version;
    },
    look: async () => version,
  };
  const clock = { ...platform.clock, turn: () => turn };
  const { ask, source } = await serveScripted({}, { mirror, platform: { ...platform, clock } });
  for (const path of ['/v1/calendar/usd', '/v1/calendar/eur', '/v1/calendar/usd']) await ask(path, KEY);
  expect([looks, source.asked.length]).toEqual([1, 3]);
  version = 2;
  turn = 2;
  await ask('/v1/calendar/usd', KEY);
  expect([looks, source.asked.length]).toEqual([2, 4]);
});

test('equal questions that come together are asked once, and counted each', async () => {
  const { ask, source } = await serveScripted();
  let answerAll = () => {};
  const open = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  source.says(async (_question, { caller, ifNoneMatch }) => {
    await open;
    return { body: { caller: caller.kind, held: ifNoneMatch ?? null } };
  });
  const url = '/v1/calendar/usd';
  const asking = [KEY, KEY, { ...KEY, 'if-none-match': OTHER }, {}, {}].map((headers) => ask(url, headers));
  await expect.poll(() => source.asked.length).toBe(3);
  answerAll();
  const told = await Promise.all(asking);
  expect(told.map(({ json }) => json)).toEqual([
    { caller: 'keyed', held: null },
    { caller: 'keyed', held: null },
    { caller: 'keyed', held: OTHER },
    { caller: 'keyless', held: null },
    { caller: 'keyless', held: null },
  ]);
  expect(source.asked).toHaveLength(3);
  expect((await ask('/v1/fx/sources', KEY)).headers).toMatchObject(keyedLimits(4));
});

test('a failure reaches everybody who waited for the answer, and the next one asks again', async () => {
  const { ask, source } = await serveScripted();
  source.says(() => {
    throw new MacroError('notFound', 'Nothing is stored.', { status: 404 });
  });
  const told = await Promise.all([1, 2].map(() => ask('/v1/calendar/usd', KEY)));
  expect(told.map(({ status }) => status)).toEqual([404, 404]);
  source.says(() => ({}));
  expect((await ask('/v1/calendar/usd', KEY)).status).toBe(200);
});

test('callers of different plans and keyless ones never share an answer', async () => {
  const { ask, source } = await serveScripted();
  source.says((_question, { caller }) => ({ body: { caller: caller.kind } }));
  expect((await ask('/v1/calendar/usd')).json).toEqual({ caller: 'keyless' });
  expect((await ask('/v1/calendar/usd', KEY)).json).toEqual({ caller: 'keyed' });
  expect((await ask('/v1/calendar/usd')).json).toEqual({ caller: 'keyless' });
});

test.each([ETAG, ETAG.slice(2), `"x", ${ETAG}`, '*'])(
  'If-None-Match %s is 304 with the headers of the 200',
  async (held) => {
    const { ask } = await serveScripted();
    const full = await ask('/v1/forex/EUR/USD', KEY);
    const told = await ask('/v1/forex/EUR/USD', { ...KEY, 'if-none-match': held });
    expect([told.status, told.body]).toEqual([304, '']);
    const { 'content-type': _type, 'content-length': _length, ...rest } = full.headers;
    expect(told.headers).toEqual({ ...rest, ...keyedLimits(2) });
  },
);

test('a validator of another answer gets the whole body', async () => {
  const { ask } = await serveScripted();
  const told = await ask('/v1/forex/EUR/USD', { ...KEY, 'if-none-match': OTHER });
  expect([told.status, told.body]).toEqual([200, '{"ok":true}']);
});

test('a 304 to a first request does not keep the next caller from the body', async () => {
  const { ask, source } = await serveScripted();
  expect((await ask('/v1/calendar/usd', { 'if-none-match': ETAG })).status).toBe(304);
  const again = await ask('/v1/calendar/usd', { 'if-none-match': ETAG });
  expect([again.status, again.headers['x-svc-edge-cache']]).toEqual([304, 'HIT']);
  expect((await ask('/v1/calendar/usd')).body).toBe('{"ok":true}');
  expect((await ask('/v1/calendar/usd')).headers['x-svc-edge-cache']).toBe('HIT');
  expect(source.asked).toHaveLength(2);
});

test('HEAD has the status and headers of GET and no body', async () => {
  const { ask } = await serveScripted();
  const get = await ask('/v1/forex/EUR/USD', KEY);
  const head = await ask('/v1/forex/EUR/USD', KEY, { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, '']);
  expect(head.headers).toEqual({ ...get.headers, ...keyedLimits(2) });
  const missing = await ask('/v1/nothing', KEY, { method: 'HEAD' });
  expect([missing.status, missing.body]).toEqual([404, '']);
  expect((await ask('/v1/forex/EUR/USD', { ...KEY, 'if-none-match': ETAG }, { method: 'HEAD' })).status).toBe(304);
});

const LONG = { text: 'x'.repeat(2_000) };

test.each([
  ['gzip, deflate, br', true],
  ['GZIP', true],
  ['gzip;q=0.1', true],
  ['*', true],
  ['x-gzip', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, *', false],
  ['*;q=0', false],
  ['br', false],
  ['', false],
])('Accept-Encoding %j takes gzip: %s', async (accepted, zipped) => {
  const { ask, source } = await serveScripted();
  source.says(() => ({ body: LONG }));
  for (let i = 0; i < 2; i += 1) {
    const told = await ask('/v1/forex/EUR/USD', { ...KEY, 'accept-encoding': accepted });
    expect(told.headers['content-encoding']).toBe(zipped ? 'gzip' : undefined);
    expect(told.headers['content-length']).toBe(String(told.bytes.length));
    expect(told.headers.etag).toBe(ETAG);
    expect(JSON.parse(String(zipped ? gunzipSync(told.bytes) : told.bytes))).toEqual(LONG);
  }
});

test('a body under 1024 bytes is never compressed', async () => {
  const { ask, source } = await serveScripted();
  const bodyOf = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
  source.says(({ args }) => ({ body: bodyOf(Number(args.offset)) }));
  const encodingOf = async (bytes: number) =>
    (await ask(`/v1/forex/EUR/USD?offset=${bytes}`, { ...KEY, 'accept-encoding': 'gzip' })).headers['content-encoding'];
  expect([await encodingOf(1023), await encodingOf(1024)]).toEqual([undefined, 'gzip']);
});

test('answers of invented data are marked, under the prefix of the service', async () => {
  const { ask, source } = await serveScripted({ headerPrefix: 'X-Macro' });
  source.says(() => ({ synthetic: true }));
  expect((await ask('/v1/calendar/usd')).headers).toMatchObject({
    'x-macro-synthetic': '1',
    'x-macro-edge-cache': 'MISS',
  });
  expect((await ask('/v1/calendar/usd')).headers).toMatchObject({
    'x-macro-synthetic': '1',
    'x-macro-edge-cache': 'HIT',
  });
});

test('the clock can be set: dates, budgets and steps follow it', async () => {
  let now = Date.parse('2026-12-31T23:59:50Z');
  const { ask, source } = await serveScripted({ now: () => now });
  now += 9_000;
  const told = await ask('/v1/forex/EUR/USD', KEY);
  expect(told.headers['ratelimit-policy']).toBe('300;w=60, 5000;w=3600, 1000000;w=1');
  expect(source.asked[0]?.question.args.end_date).toBe('2026-12-31');
  expect(source.asked[0]?.context.now).toBe(Date.parse('2026-12-31T23:59:59Z'));
});
