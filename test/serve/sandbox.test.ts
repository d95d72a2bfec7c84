import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutBody } from '../../src/contract/json/body.ts';
import { ENDPOINTS, MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { createServer, type ServeApp } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { ANSWERED } from '../support/answered.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import fc, { draws } from '../support/properties.ts';
import { sandboxPath } from '../support/service.ts';
import { KEY, LABELS } from './scripted-source.ts';

// The whole way: a synthetic mirror, the mirror as a source, the source as a server.

let app: ServeApp;
const world = testPlatform({ folder: freshFolder() });

beforeAll(async () => {
  const { platform, folder } = world;
  copyFileSync(await sandboxPath(platform), join(folder, 'sandbox.db'));
  const mirror = await openMirror({ path: join(folder, 'sandbox.db'), mappings: MAPPINGS, platform, mode: 'write' });
  afterAll(() => mirror.close());
  const source = createMirrorSource({ mirror, labels: LABELS });
  app = await createServer({
    source,
    mirror,
    endpoints: ENDPOINTS,
    platform,
    log: (text) => void platform.io.stderr.write(text),
    options: { labels: LABELS, quotas: false },
  });
});

const examples = ANSWERED.map(({ id, path, doc }) => {
  const filled = path.replace(/\{([^}]+)\}/g, (_all, name: string) => doc.example[name] ?? '');
  return { id, path, url: `${filled}?${new URLSearchParams(doc.exampleQuery)}` };
});

const document = openApiDocument(ENDPOINTS, { title: '', version: '1.0.0', labels: LABELS, prefixes: ['/v1'] });
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: 'https://svc.example/openapi', components: document.components });

test.each(examples)('the example of $id is answered in the shape of the document', async ({ id, url }) => {
  const response = await app.inject({ url, headers: KEY });
  expect(response.statusCode).toBe(200);
  expect(response.headers['x-svc-synthetic']).toBe('1');
  const name = id.replace(/(^|_)([a-z0-9])/g, (_all, _gap, letter: string) => letter.toUpperCase());
  ajv.validate({ $ref: `https://svc.example/openapi#/components/schemas/${name}Response` }, response.json());
  expect(ajv.errors ?? []).toEqual([]);
});

const fromTheClock = ['ping', 'health', 'market_sessions', 'announcements_changes'];

test.each(examples.filter(({ id }) => !fromTheClock.includes(id)))(
  'a second look at $id with its validator is 304',
  async ({ url }) => {
    const { etag } = (await app.inject({ url, headers: KEY })).headers;
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
    const second = await app.inject({ url, headers: { ...KEY, 'if-none-match': String(etag) } });
    expect([second.statusCode, second.payload, second.headers.etag]).toEqual([304, '', etag]);
  },
);

test('both forms of the address and both letter cases give the same bytes', async () => {
  const [first, ...others] = await Promise.all(
    ['/v1/forex/EUR/USD', '/api/v1/forex/EUR/USD', '/v1/forex/eur/usd/'].map((url) =>
      app.inject({ url, headers: KEY }),
    ),
  );
  expect(first?.statusCode).toBe(200);
  for (const other of others) expect(other.payload).toBe(first?.payload);
});

test('a walk by next_offset meets every row once and ends honestly', async () => {
  const seen: string[] = [];
  const position: { next: number | undefined; total: number } = { next: 0, total: 0 };
  while (position.next !== undefined) {
    const { payload } = await app.inject({ url: `/v1/risk_sentiment?limit=50&offset=${position.next}`, headers: KEY });
    const { rows, envelope } = cutBody({ kind: 'list', member: 'data' }, payload);
    const { has_more, next_offset, returned_count, total_count } = envelope.pagination as Record<string, number>;
    seen.push(...rows.map(({ value }) => String(value.date)));
    expect(returned_count).toBe(rows.length);
    expect(has_more).toBe(next_offset !== undefined);
    Object.assign(position, { next: next_offset, total: total_count });
  }
  expect(seen).toHaveLength(position.total);
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
});

test('the keyless subset: ninety days and the delay object for USD, a key for the rest', async () => {
  const usd = (await app.inject('/v1/announcements/usd/inflation?start_date=2020-01-01')).json();
  expect(usd.requested_start_date).toBe('2026-08-23');
  expect(usd.freemium_window).toMatchObject({ applied: true, max_days: 90, cutoff_date: '2026-08-23' });
  expect(usd.freemium_delay).toMatchObject({ applied: true, delay_seconds: 900, delay_minutes: 15 });
  expect((await app.inject('/v1/announcements/eur/inflation')).statusCode).toBe(401);
  expect((await app.inject('/v1/commodities/gold')).statusCode).toBe(401);
});

test('a pin of the same history is kept, another one is 409 with both versions', async () => {
  const get = async (url: string) => (await app.inject({ url, headers: KEY })).json();
  const { dataset_version: version } = await get('/v1/forex/EUR/USD?limit=5');
  expect(version).toMatch(/^[0-9a-f]{64}$/);
  const next = await get(`/v1/forex/EUR/USD?limit=5&offset=5&dataset_version=${version}`);
  expect(next.dataset_version).toBe(version);
  const other = 'a'.repeat(64);
  expect(await get(`/v1/forex/EUR/USD?limit=5&dataset_version=${other}`)).toEqual({
    detail: 'dataset_version is no longer current.',
    code: 'dataset_version_mismatch',
    error: 'dataset_version_mismatch',
    requested_dataset_version: other,
    current_dataset_version: version,
  });
});

test('no value of a parameter makes a 500 of the real source', async () => {
  const values = [
    '1',
    '100',
    '2026-01-01',
    '2030-01-01',
    '1999-01-04',
    'all',
    'usd',
    'USD',
    'first',
    'mom',
    'true',
    '0',
  ];
  const property = fc.asyncProperty(
    fc.constantFrom(...ENDPOINTS).chain((endpoint) =>
      fc.record({
        endpoint: fc.constant(endpoint),
        query: fc.dictionary(
          fc.constantFrom('limit', ...Object.keys(endpoint.query)),
          fc.oneof(
            fc.constantFrom(...values, ...Object.values(endpoint.query).flatMap(({ words }) => words)),
            fc.string({ maxLength: 12 }),
          ),
          { maxKeys: 4 },
        ),
        keyed: fc.boolean(),
      }),
    ),
    async ({ endpoint, query, keyed }) => {
      const path = examples.find(({ id }) => id === endpoint.id)?.url.split('?')[0];
      const url = `${path}?${new URLSearchParams(query)}`;
      const response = await app.inject({ url, headers: keyed ? KEY : {} });
      expect([200, 304, 400, 401, 404, 409, 422], `${url}\n${world.err()}`).toContain(response.statusCode);
    },
  );
  await fc.assert(property, { numRuns: draws(200) });
});
