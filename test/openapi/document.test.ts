import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/contract/json/json.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { LABELS, serveScripted } from '../serve/scripted-source.ts';

const document = openApiDocument(ENDPOINTS, {
  title: 'Macro data',
  version: '1.0.0',
  labels: LABELS,
  prefixes: ['/v1', '/api/v1'],
});

/** What a JSON pointer such as `#/components/schemas/Error` leads to. */
function at(pointer: string, from: unknown = document): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), from);
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  const own = typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

const operation = (path: string) => at(`#/paths/${path.replaceAll('/', '~1')}/get`) as JsonObject;

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toMatchObject({ title: 'Macro data', version: '1.0.0', license: { identifier: 'MIT' } });
});

test('every reference leads somewhere', () => {
  const references = [...new Set(referencesIn(document))];
  expect(references.length).toBeGreaterThan(30);
  expect(references.filter((pointer) => at(pointer) === undefined)).toEqual([]);
});

test('every shared part is used', () => {
  const used = new Set(referencesIn(document));
  const names = ['schemas', 'parameters', 'headers', 'responses'].flatMap((kind) =>
    Object.keys((at(`#/components/${kind}`) as object | undefined) ?? {}).map((name) => `#/components/${kind}/${name}`),
  );
  expect(names.filter((name) => !used.has(name))).toEqual([]);
});

test('it has exactly the served paths, in the /v1 form, itself included', async () => {
  const { app } = await serveScripted();
  const paths = Object.keys(document.paths ?? {});
  expect(paths).toEqual([...ENDPOINTS.map(({ path }) => path), '/v1/openapi.json']);
  const served = app.routes.flatMap((route) => route.paths.filter((path) => path.startsWith('/v1')));
  expect(served).toEqual(paths);
});

test('servers name both forms of the address', () => {
  expect(document.servers).toEqual([{ url: 'https://svc.example' }, { url: 'https://svc.example/api' }]);
});

test('operation ids are unique and spelled as handler, path and verb', () => {
  const ids = Object.keys(document.paths ?? {}).map((path) => operation(path).operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(operation('/v1/forex/{base}/{quote}').operationId).toBe('forex_v1_forex__base___quote__get');
  expect(operation('/v1/ping').operationId).toBe('ping_v1_ping_get');
});

test('tags are group names, in the order of the specification', () => {
  const tags = (document.tags as { name: string }[]).map(({ name }) => name);
  expect(tags.slice(0, 3)).toEqual(['health', 'data catalogue', 'announcements']);
  expect(operation('/v1/forex/{base}/{quote}').tags).toEqual(['fx reference rates']);
});

test('security follows the access class', () => {
  const keyed = [{ APIKeyHeader: [] }, { HTTPBearer: [] }];
  expect(operation('/v1/forex/{base}/{quote}').security).toEqual(keyed);
  expect(operation('/v1/announcements/{currency}/{indicator}').security).toEqual([{}, ...keyed]);
  expect(operation('/v1/ping').security).toEqual([{}, ...keyed]);
});

test('parameters carry bounds, defaults, choices and examples', () => {
  const parameters = operation('/v1/forex/{base}/{quote}').parameters as JsonObject[];
  const named = (name: string) => parameters.find((parameter) => parameter.name === name);
  expect(named('limit')).toEqual({
    name: 'limit',
    in: 'query',
    required: false,
    description: 'rows a page',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  });
  expect(named('base')).toMatchObject({ in: 'path', required: true, example: 'EUR', schema: { type: 'string' } });
  expect(named('indicators')).toMatchObject({
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
    example: ['sma_20', 'rsi_14'],
  });
});

test('answers name their statuses', () => {
  const statuses = (path: string) => Object.keys(operation(path).responses ?? {}).join(' ');
  expect(statuses('/v1/ping')).toBe('200 304 401 405');
  expect(statuses('/v1/forex/{base}/{quote}')).toBe('200 304 401 403 404 405 409 422 429 503');
  expect(statuses('/v1/announcements/{currency}/{indicator}')).toBe('200 304 400 401 403 404 405 409 422 429 503');
  expect(statuses('/v1/market_sessions')).toBe('200 304 401 405 422 429');
});

describe('bodies', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'https://svc.example/openapi', components: document.components });
  const check = (name: string, body: unknown) =>
    ajv.validate({ $ref: `https://svc.example/openapi#/components/schemas/${name}` }, body);

  // Bodies in the forms of docs/interface-access.md#errors and docs/interface-endpoints.md.
  test('the examples fit, and bodies without their rows do not', () => {
    const pagination = { limit: 20, offset: 0, returned_count: 1, total_count: 1, has_more: false };
    const sentiment = {
      start_date: '2026-11-01',
      end_date: '2026-11-20',
      pagination,
      data: [{ date: '2026-11-19', val: 0.3095, regime: 'risk_on', components: { ofr_fsi: 0.13, gold: null } }],
    };
    expect(check('RiskSentimentResponse', sentiment)).toBe(true);
    expect(check('RiskSentimentResponse', { ...sentiment, data: undefined })).toBe(false);
    expect(check('PingResponse', { status: 'ok', service: 'macro-data' })).toBe(true);
    const entry = { name: 'Inflation (CPI)', unit: '%YoY', frequency: 'Monthly', coverage: { available: true } };
    expect(check('DataCatalogueResponse', { inflation: entry })).toBe(true);
    expect(check('DataCatalogueResponse', { inflation: { name: 3 } })).toBe(false);
    expect(check('DataCatalogueResponse', { inflation: entry, coverage: [{ indicator: 'inflation' }] })).toBe(true);
    const finding = {
      loc: ['query', 'limit'],
      msg: 'Input should be less than or equal to 100',
      type: 'less_than_equal',
      input: '500',
      ctx: { le: 100 },
    };
    expect(check('HTTPValidationError', { detail: [finding] })).toBe(true);
    expect(check('HTTPValidationError', { detail: 'no list' })).toBe(false);
  });
});

test.each(['/openapi.json', '/v1/openapi.json', '/api/openapi.json', '/api/v1/openapi.json'])(
  'it is served at %s, and revalidated like any answer',
  async (url) => {
    const { ask, source } = await serveScripted();
    const told = await ask(url);
    expect([told.status, told.json]).toEqual([
      200,
      { ...document, info: { ...(document.info as JsonObject), title: 'macro-data' } },
    ]);
    expect(told.headers).toMatchObject({ 'cache-control': 'public, max-age=86400', 'x-svc-edge-cache': 'MISS' });
    expect((await ask(url, { 'if-none-match': String(told.headers.etag) })).status).toBe(304);
    expect(source.asked).toEqual([]);
  },
);
