import { expect, test } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { createCallers, revocationsOf } from '../../src/serve/access/callers.ts';
import { parseKeys } from '../../src/serve/access/keys.ts';
import { DESCRIBED, KEY, keyedLimits, serveScripted, VARY } from './scripted-source.ts';

const KEYS = parseKeys('# ours\n\nalpha individual Ann at the desk\r\nbravo BASIC Bob\n');

test('a keys file is read line by line, and no key is kept', () => {
  expect(KEYS.map(({ plan, label }) => ({ plan, label }))).toEqual([
    { plan: 'individual', label: 'Ann at the desk' },
    { plan: 'basic', label: 'Bob' },
  ]);
  // sha256 of "alpha", by sha256sum.
  expect(KEYS[0]?.digest).toBe('8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8');
});

test.each([
  ['alpha', 'Line 1 of the keys file has no plan that is known'],
  ['alpha gold Ann', 'legal: individual, business, trial, enterprise, basic'],
  ['a trial A\nkéy trial B', 'Line 2 of the keys file has a key that is not printable ASCII'],
  [`${'k'.repeat(257)} trial A`, 'Line 1 of the keys file has a key'],
  ['a trial A\na trial B', 'Line 2 of the keys file repeats a key'],
])('the keys file %j is refused without printing a key', (text, message) => {
  expect(() => parseKeys(text)).toThrow(message);
  expect(() => parseKeys(text)).toThrow(MacroError);
});

test('a key comes from X-API-Key, then Authorization, then the query; the first one present is judged', async () => {
  const { ask } = await serveScripted({ keys: () => KEYS });
  const status = async (url: string, headers: Record<string, string>) => (await ask(url, headers)).status;
  expect(await status('/v1/forex/EUR/USD', { 'x-api-key': 'alpha' })).toBe(200);
  expect(await status('/v1/forex/EUR/USD', { 'x-api-key': '  alpha ' })).toBe(200);
  expect(await status('/v1/forex/EUR/USD', { authorization: 'Bearer alpha' })).toBe(200);
  expect(await status('/v1/forex/EUR/USD', { authorization: 'bearer alpha' })).toBe(200);
  expect(await status('/v1/forex/EUR/USD?api_key=alpha', {})).toBe(200);
  expect(await status('/v1/forex/EUR/USD', { 'x-api-key': 'wrong', authorization: 'Bearer alpha' })).toBe(401);
  expect(await status('/v1/forex/EUR/USD?api_key=wrong', { authorization: 'Bearer alpha' })).toBe(200);
  expect(await status('/v1/forex/EUR/USD', { 'x-api-key': '', authorization: 'Bearer alpha' })).toBe(200);
});

test('an empty key is no key', async () => {
  const { ask, source } = await serveScripted({ keys: () => KEYS });
  expect((await ask('/v1/data_catalogue/USD', { 'x-api-key': ' ', authorization: 'Bearer ' })).status).toBe(200);
  expect(source.asked[0]?.context.caller).toEqual({ kind: 'keyless' });
});

test.each([
  ['unknown', 'nobody'],
  ['not ASCII', 'k\u00e9y'],
  ['too long', 'k'.repeat(257)],
  ['with a blank inside', 'al pha'],
])('a key that is %s is refused even where none is needed', async (_what, key) => {
  const { ask, source } = await serveScripted({ keys: () => KEYS });
  const told = await ask('/v1/ping', { 'x-api-key': key });
  expect(told.status).toBe(401);
  expect(told.json).toEqual({
    detail: 'Unknown or revoked API key.',
    code: 'invalid_api_key',
    error: 'invalid_api_key',
  });
  expect(told.headers).toEqual({
    'content-type': 'application/json',
    'content-length': String(told.bytes.length),
    'cache-control': 'no-store',
    vary: VARY,
    'x-content-type-options': 'nosniff',
    link: DESCRIBED,
    'www-authenticate': 'Bearer',
    'x-svc-edge-cache': 'BYPASS',
  });
  expect(source.asked).toEqual([]);
});

test('without a list of keys any well-formed key is good', async () => {
  const { ask, source } = await serveScripted();
  expect((await ask('/v1/forex/EUR/USD', KEY)).headers).toMatchObject(keyedLimits(1));
  expect(source.asked[0]?.context.caller).toEqual({ kind: 'keyed', plan: 'individual' });
  expect((await ask('/v1/forex/EUR/USD', { 'x-api-key': 'k\u00e9y' })).status).toBe(401);
});

test('a route that needs a key says so, with the address of the subscription page', async () => {
  const { ask, source } = await serveScripted();
  const fx = await ask('/v1/forex/EUR/USD');
  expect(fx.status).toBe(401);
  expect(fx.json).toEqual({
    detail: 'This route needs an API key.',
    code: 'api_key_required',
    error: 'api_key_required',
    subscribe_url: 'https://svc.example/subscribe',
  });
  expect(fx.headers['www-authenticate']).toBe('Bearer');
  expect((await ask('/v1/announcements/eur/inflation')).json).toMatchObject({
    detail: 'This route needs an API key for EUR.',
  });
  expect((await ask('/v1/announcements/usd/inflation')).status).toBe(200);
  expect((await ask('/v1/announcements/changes?currencies=eur')).status).toBe(401);
  expect((await ask('/v1/announcements/changes?currencies=eur,usd')).status).toBe(200);
  expect(source.asked).toHaveLength(2);
});

test('each address without a key has an account of its own; IPv4 on a socket of IPv6 is the same address', () => {
  const identify = createCallers({ keys: () => KEYS });
  const addresses = ['10.0.0.8', '10.0.0.9', '::ffff:10.0.0.9', '2001:db8::8', '2001:db8::9'];
  expect(addresses.map((ip) => identify(undefined, { ip }).name)).toEqual([
    ...['10.0.0.8', '10.0.0.9', '10.0.0.9', '2001:db8::8', '2001:db8::9'],
  ]);
});

test('a change of the keys tells once who is not accepted any more, or not as what they came', () => {
  let keys = parseKeys('alpha trial A\nbeta business B\ngamma trial C');
  const list = () => keys;
  const [identify, revocations] = [createCallers({ keys: list }), revocationsOf(list)];
  const callers = ['alpha', 'beta', 'gamma', undefined].map((key) => identify(key, { ip: '10.0.0.8' }));
  expect(revocations()).toBeUndefined();
  keys = parseKeys('alpha trial A\nbeta basic B');
  const isAccepted = revocations();
  expect(callers.map((caller) => isAccepted?.(caller))).toEqual([true, false, false, true]);
  expect(revocations()).toBeUndefined();
  expect(() => identify('gamma', { ip: '10.0.0.8' })).toThrow('Unknown or revoked API key.');
  expect(identify('beta', { ip: '10.0.0.8' }).class).toBe('basic');
});

test('an open server has no access rules, no quotas and no bad keys', async () => {
  const { ask, source } = await serveScripted({ open: true, keys: () => KEYS });
  const told = await ask('/v1/forex/EUR/USD', { 'x-api-key': 'nobody' });
  expect(told.status).toBe(200);
  expect(told.headers).toEqual({
    'content-type': 'application/json',
    'content-length': '11',
    'cache-control': 'private, max-age=0, must-revalidate',
    etag: 'W/"0123456789abcdef0123456789abcdef"',
    vary: VARY,
    'x-content-type-options': 'nosniff',
    link: DESCRIBED,
    'x-svc-mirror': 'complete',
    'x-svc-mirror-checked': '2026-11-21T05:46:13Z',
    'x-svc-edge-cache': 'BYPASS',
  });
  expect(source.asked[0]?.context.caller).toEqual({ kind: 'owner' });
});

test('a key in the query is answered normally and told to be deprecated, and its answer is not kept', async () => {
  const { ask, source } = await serveScripted();
  const url = '/v1/forex/EUR/USD?limit=5&api_key=some-key&offset=0';
  expect((await ask(url)).headers).toMatchObject({
    deprecation: '@1790812800',
    link: '</openapi.json>; rel="service-desc", <https://svc.example/v1/forex/EUR/USD?limit=5&offset=0>; rel="successor-version", <https://docs.example/deprecations>; rel="deprecation"',
  });
  await ask(url);
  await ask('/v1/forex/EUR/USD?limit=5&api%5Fkey=some-key&offset=0');
  expect(source.asked).toHaveLength(3);
});
