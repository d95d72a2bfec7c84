import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type DirectRequest, readDirectTarget, sendDirect } from '../../src/client/http/direct.ts';
import { createWire } from '../../src/client/http/wire.ts';
import { MacroError } from '../../src/errors.ts';
import { testPlatform } from '../support/platform.ts';
import { type Exchange, scriptUpstream } from '../support/upstream.ts';
import { BASE, failure, KEY } from './support.ts';

function scene(script: readonly Exchange[], baseUrl = BASE) {
  const upstream = scriptUpstream(script);
  const { platform } = testPlatform({ fetch: upstream.fetch });
  const wire = createWire({ platform, baseUrl, key: KEY });
  return { upstream, send: (request: DirectRequest) => sendDirect(wire, request) };
}

const BUSY = { status: 503, body: { detail: 'busy', code: 'service_unavailable' } };

describe('a typed path', () => {
  it.each([
    ['/v1/ping', '/v1/ping'],
    ['v1/ping', '/v1/ping'],
    ['/api/v1/ping', '/v1/ping'],
    ['/api/openapi.json', '/openapi.json'],
    ['/openapi.json', '/openapi.json'],
    ['/v1/forex/EUR/USD?limit=5&indicators=sma_20,rsi_14', '/v1/forex/EUR/USD?limit=5&indicators=sma_20,rsi_14'],
    ['/v1/x y?a=b c', '/v1/x%20y?a=b%20c'],
    ['/v1/new-one', '/v1/new-one'],
  ])('%s is asked for as %s', (typed, target) => {
    expect(readDirectTarget(typed)).toBe(target);
  });

  it('takes further parameters behind its own', () => {
    expect(readDirectTarget('/v1/x?limit=5', [['currencies', 'usd,eur']])).toBe('/v1/x?limit=5&currencies=usd,eur');
  });

  it.each([
    'https://elsewhere.example/v1/ping',
    '//elsewhere.example/v1/ping',
    '/\\elsewhere.example/v1',
    '/v1/../admin',
    '/v1/%2e%2E/admin',
    '/v1/./ping',
    '/v1/ping#x',
    '/v1/ping?api_key=p4ss',
    '/v1/ping?API_KEY=p4ss',
    '/v1/ping?token=p4ss',
  ])('is refused as %s, without repeating it', (typed) => {
    expect(() => readDirectTarget(typed)).toThrow(MacroError);
    try {
      readDirectTarget(typed);
    } catch (error) {
      expect(inspect(error)).not.toMatch(/p4ss|elsewhere/);
    }
  });
});

describe('a request by hand', () => {
  it('comes back as it is, with the key sent in a header', async () => {
    const body = '{"a" : 1.50 }\n';
    const sent = { 'x-api-key': KEY, 'content-type': null };
    const { upstream, send } = scene([{ request: 'GET /api/v1/ping?x=1', body, sent }], `${BASE}/api`);
    expect(await send({ method: 'GET', target: '/v1/ping?x=1' })).toMatchObject({ status: 200, body, notes: [] });
    upstream.verify();
  });

  it('shows headers without what lets somebody in', async () => {
    const headers = { 'x-echo': `key ${KEY}`, 'set-cookie': 'session=1', 'x-api-key': 'other', etag: 'W/"1"' };
    const { send } = scene([{ request: 'GET /v1/ping', body: {}, headers }]);
    expect(Object.fromEntries((await send({ method: 'GET', target: '/v1/ping' })).headers)).toEqual({
      'content-type': 'application/json',
      etag: 'W/"1"',
      'set-cookie': '[redacted]',
      'x-api-key': '[redacted]',
      'x-echo': 'key [redacted]',
    });
  });

  it('is tried again as a GET only', async () => {
    const get = scene([
      { request: 'GET /v1/x', ...BUSY },
      { request: 'GET /v1/x', body: {} },
    ]);
    expect((await get.send({ method: 'GET', target: '/v1/x' })).status).toBe(200);
    get.upstream.verify();
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
      const { upstream, send } = scene([{ request: `${method} /v1/x`, ...BUSY }]);
      expect(await failure(send({ method, target: '/v1/x', body: '{}' }))).toMatchObject({ kind: 'upstream' });
      expect(upstream.requests).toHaveLength(1);
    }
  });

  it('follows redirects of a GET in its origin, and none of anything else', async () => {
    const there = { status: 307, headers: { location: '/v1/y' } };
    const { send } = scene([
      { request: 'GET /v1/x', ...there },
      { request: 'GET /v1/y', body: {} },
    ]);
    expect((await send({ method: 'GET', target: '/v1/x' })).status).toBe(200);
    const away = scene([{ request: 'GET /v1/x', status: 302, headers: { location: 'https://other.example/' } }]);
    expect(await failure(away.send({ method: 'GET', target: '/v1/x' }))).toMatchObject({ code: 'redirect_refused' });
    const write = scene([{ request: 'POST /v1/x', ...there }]);
    expect(await failure(write.send({ method: 'POST', target: '/v1/x' }))).toMatchObject({ code: 'redirect_refused' });
  });

  it.each([
    [201, '{"id":1}'],
    [202, ''],
  ])('is good with a %i', async (status, body) => {
    const { send } = scene([{ request: 'POST /v1/x', status, body }]);
    expect(await send({ method: 'POST', target: '/v1/x', body: '{"a":1}' })).toMatchObject({ status, body });
  });

  it('fails with the kinds that every question fails with', async () => {
    const kinds: Record<number, string> = {
      400: 'usage',
      401: 'auth',
      403: 'auth',
      404: 'notFound',
      405: 'usage',
      422: 'usage',
    };
    for (const [status, kind] of Object.entries(kinds)) {
      const { send } = scene([{ request: 'GET /v1/x', status: Number(status), body: { detail: 'No.' } }]);
      expect(await failure(send({ method: 'GET', target: '/v1/x' }))).toMatchObject({ kind, status: Number(status) });
    }
  });

  it('never has the key in its address or its body', async () => {
    const { upstream, send } = scene([]);
    const spelled = [KEY, encodeURIComponent(`${KEY}/x`)];
    for (const word of spelled)
      expect(await failure(send({ method: 'GET', target: `/v1/x?note=${word}` }))).toMatchObject({ kind: 'usage' });
    const posted = await failure(send({ method: 'POST', target: '/v1/x', body: `{"note":"${KEY}"}` }));
    expect(inspect(posted)).not.toContain(KEY);
    expect(upstream.requests).toEqual([]);
  });

  it('tells a deprecation', async () => {
    const headers = { deprecation: '@1790812800', link: '</v1/new>; rel="successor-version"' };
    const { send } = scene([{ request: 'GET /v1/old', body: {}, headers }]);
    expect((await send({ method: 'GET', target: '/v1/old' })).notes).toEqual([
      '/v1/old is deprecated since 2026-10-01, is replaced by /v1/new.',
    ]);
  });
});
