import { expect, test } from 'vitest';
import { ANSWERED } from '../support/answered.ts';
import { KEY, keyedLimits, serveScripted, VARY } from './scripted-source.ts';

const examples = ANSWERED.map(({ id, path, doc }) => {
  const filled = path.replace(/\{([^}]+)\}/g, (_all, name: string) => doc.example[name] ?? '');
  return [id, `${filled}?${new URLSearchParams(doc.exampleQuery)}`] as const;
});

test.each(examples)(
  'the example of %s arrives there, in both forms of the address and with a slash',
  async (id, url) => {
    const { ask, source } = await serveScripted();
    source.says(() => ({ etag: null }));
    const [path = '', query = ''] = url.split('?');
    for (const form of [url, `/api${url}`, `${path}/?${query}`]) expect((await ask(form, KEY)).status).toBe(200);
    expect(source.asked.map(({ question }) => question.endpoint.id)).toEqual([id, id, id]);
  },
);

test('static words win over arguments', async () => {
  const { ask, source } = await serveScripted();
  await ask('/v1/announcements/usd/latest');
  await ask('/v1/announcements/changes');
  await ask('/v1/announcements/usd/inflation');
  expect(source.asked.map(({ question }) => question.endpoint.id)).toEqual([
    'announcements_latest',
    'announcements_changes',
    'announcements',
  ]);
});

test('codes and slugs are read in any letter case, percent signs are decoded', async () => {
  const { ask, source } = await serveScripted();
  await ask('/v1/announcements/uSd/Inflation');
  await ask('/v1/announcements/%75sd/inflation');
  expect(source.asked.map(({ question }) => question.args.currency)).toEqual(['USD', 'USD']);
});

test('of a repeated parameter the last wins, unknown ones are ignored, plus is a blank', async () => {
  const { ask, source } = await serveScripted();
  await ask('/v1/forex/EUR/USD?limit=5&limit=7&surprise=1&__proto__=1&offset=+3', KEY);
  expect(source.asked[0]?.question.args).toMatchObject({ limit: 7, offset: 3 });
  expect(source.asked[0]?.question.extra).toBeUndefined();
});

test('a page number becomes an offset; start and end are silent synonyms', async () => {
  const { ask, source } = await serveScripted();
  await ask('/v1/forex/EUR/USD?limit=5&page=3&offset=99&start=2026-01-01&end=2026-02-01', KEY);
  expect(source.asked[0]?.question.args).toMatchObject({
    limit: 5,
    offset: 10,
    start_date: '2026-01-01',
    end_date: '2026-02-01',
  });
});

test.each(['/v1', '/v2/ping', '/v1/ping/more', '/v1/ping//', '/V1/ping', '/v1/%', '/v1/forex/%zz/USD', '/ping'])(
  'there is no path %s',
  async (url) => {
    const { ask } = await serveScripted();
    const told = await ask(url);
    expect([told.status, told.json]).toEqual([
      404,
      {
        detail: 'There is no such path. /openapi.json lists the paths.',
        code: 'not_found',
        error: 'not_found',
      },
    ]);
    expect(told.headers).not.toHaveProperty('ratelimit-limit');
    expect(told.headers.link).toBe('</openapi.json>; rel="service-desc"');
  },
);

test.each(['/', '/docs', '/docs/'])(
  '%s tells a person where to go on, without a key and without a quota',
  async (url) => {
    const { ask } = await serveScripted();
    const told = await ask(url);
    const page =
      'macro-data: an HTTP interface to macroeconomic data.\n\nAll routes, their parameters and answers: /openapi.json\nWhether it is up: /v1/ping\n';
    expect([told.status, told.body]).toEqual([200, page]);
    expect(told.headers).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(page.length),
      'cache-control': 'no-store',
      link: '</openapi.json>; rel="service-desc"',
      vary: VARY,
      'x-content-type-options': 'nosniff',
      'x-svc-edge-cache': 'MISS',
    });
    const bare = await ask(url, {}, { method: 'HEAD' });
    expect([bare.status, bare.body, bare.headers]).toEqual([200, '', told.headers]);
    const wrong = await ask(url, {}, { method: 'POST' });
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
  },
);

test.each([
  ['an unknown path', '/nothing', {}, 404],
  ['an address that cannot be decoded', '/v1/%', {}, 404],
  ['the page', '/', {}, 200],
  ['a wrong verb', '/v1/forex/EUR/USD', { method: 'PATCH' }, 405],
  ['a long address', `/v1/ping?x=${'y'.repeat(9_000)}`, {}, 414],
  ['a bad key', '/v1/ping', { headers: { 'x-api-key': 'ö' } }, 401],
] as const)('a keyed request says BYPASS at %s', async (_what, url, more, status) => {
  const { ask } = await serveScripted();
  const told = await ask(url, KEY, more);
  expect([told.status, told.headers['x-svc-edge-cache']]).toEqual([status, 'BYPASS']);
});

// See docs/interface.md#words-and-aliases: old routes that are gone.
test.each([
  ['/v1/news', '/v1/press-releases/{currency}'],
  ['/v1/news/usd', '/v1/press-releases/{currency}'],
  ['/v1/graphql', 'the routes of /v1/openapi.json'],
  ['/v1/forward_curves/usd', '/v1/curves/{currency}?view=forwards'],
  ['/v1/forward_differentials/eur/usd', '/v1/rate_differentials/{base}/{quote}?rate_type=forward'],
  ['/v1/cot/eur/latest', '/v1/cot/{currency}'],
  ['/v1/catalogue/usd', '/v1/data_catalogue/{currency}'],
  ['/api/v1/market-sessions/', '/v1/market_sessions'],
])('%s names its successor', async (url, successor) => {
  const { ask } = await serveScripted();
  const told = await ask(url);
  expect([told.status, told.json]).toEqual([
    404,
    { detail: `This route is gone. Use ${successor}.`, code: 'not_found', error: 'not_found' },
  ]);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const)(
  '%s is not allowed, and no header speaks of other origins',
  async (method) => {
    const { ask } = await serveScripted();
    const preflight = { origin: 'https://page.example', 'access-control-request-method': 'GET' };
    const told = await ask('/v1/forex/EUR/USD', { ...KEY, ...preflight }, { method: method as 'POST' });
    expect([told.status, told.json]).toEqual([
      405,
      { detail: `${method} is not allowed here.`, code: 'method_not_allowed', error: 'method_not_allowed' },
    ]);
    expect(told.headers).toMatchObject({ allow: 'GET, HEAD', 'x-svc-edge-cache': 'BYPASS', ...keyedLimits(1) });
    expect(Object.keys(told.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  },
);

test('no answer to another origin allows it to read', async () => {
  const { ask } = await serveScripted();
  const told = await ask('/v1/ping', { origin: 'https://page.example' });
  expect(Object.keys(told.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('a body of more than a mebibyte is refused before the verb is', async () => {
  const { ask } = await serveScripted();
  const post = (bytes: number) =>
    ask('/v1/ping', { 'content-type': 'text/odd' }, { method: 'POST', payload: Buffer.alloc(bytes) });
  expect((await post(1_048_576)).status).toBe(405);
  const told = await post(1_048_577);
  expect([told.status, told.json]).toEqual([
    413,
    {
      detail: 'The body is larger than 1048576 bytes.',
      code: 'payload_too_large',
      error: 'payload_too_large',
    },
  ]);
});

test('an address longer than 8192 characters is refused', async () => {
  const { ask } = await serveScripted();
  const told = await ask(`/v1/ping?x=${'y'.repeat(8_192)}`);
  expect([told.status, told.json]).toMatchObject([414, { code: 'uri_too_long' }]);
});

test('a code outside the tables that the mirror holds is legal, in either place', async () => {
  const series = (base: string, quote: string) => ({
    id: 1,
    endpoint: 'forex',
    scope: { base, quote },
    origin: 'import:ecb',
    state: '',
    chain: '',
    envelope: undefined,
    checkedAt: 0,
  });
  let held = [series('EUR', 'CZK')];
  let version = 1;
  const mirror = { look: async () => version, find: async () => held };
  const { ask, source } = await serveScripted({}, { mirror });
  expect((await ask('/v1/forex/EUR/CZK', KEY)).status).toBe(200);
  expect((await ask('/v1/forex/czk/usd', KEY)).status).toBe(200);
  expect((await ask('/v1/forex/EUR/HUF', KEY)).status).toBe(422);
  held = [series('EUR', 'HUF')];
  version = 2;
  expect((await ask('/v1/forex/EUR/HUF', KEY)).status).toBe(200);
  expect((await ask('/v1/forex/EUR/USD', KEY)).status).toBe(200);
  expect(source.asked.map(({ question }) => question.args.quote)).toEqual(['CZK', 'USD', 'HUF', 'USD']);
});
