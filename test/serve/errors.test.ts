import { expect, test } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { DESCRIBED, KEY, keyedLimits, serveScripted, VARY } from './scripted-source.ts';

const ERROR_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  vary: VARY,
  'x-content-type-options': 'nosniff',
  link: DESCRIBED,
  'x-svc-edge-cache': 'BYPASS',
  ...keyedLimits(1),
};

const PIN = { requested_dataset_version: 'a'.repeat(64), current_dataset_version: 'b'.repeat(64) };

// Bodies of docs/interface-access.md#errors.
test.each([
  [
    new MacroError('incomplete', 'dataset_version is no longer current.', {
      status: 409,
      code: 'dataset_version_mismatch',
      extra: PIN,
    }),
    409,
    {
      detail: 'dataset_version is no longer current.',
      code: 'dataset_version_mismatch',
      error: 'dataset_version_mismatch',
      ...PIN,
    },
  ],
  [
    new MacroError('usage', "'frequency=qoq' is not offered for this series.", {
      status: 400,
      code: 'unsupported_series_option',
      extra: {
        option: 'frequency',
        value: 'qoq',
        supported_values: ['yoy'],
        supported_options: { frequency: ['yoy'] },
      },
    }),
    400,
    {
      detail: "'frequency=qoq' is not offered for this series.",
      code: 'unsupported_series_option',
      error: 'unsupported_series_option',
      option: 'frequency',
      value: 'qoq',
      supported_values: ['yoy'],
      supported_options: { frequency: ['yoy'] },
    },
  ],
  [
    new MacroError('notFound', 'The mirror has nothing for fx EUR USD.', {
      status: 404,
      code: 'not_mirrored',
      hint: 'Fill it with: macro sync fx eur usd',
    }),
    404,
    {
      detail: 'The mirror has nothing for fx EUR USD. Fill it with: macro sync fx eur usd',
      code: 'not_mirrored',
      error: 'not_mirrored',
    },
  ],
  [
    new MacroError('notFound', 'The mirror keeps no answers for strike of settlement_record.', {
      status: 404,
      code: 'not_mirrored',
      hint: 'Ask the service with --live, or leave the option out.',
    }),
    404,
    {
      detail: 'The mirror keeps no answers for strike of settlement_record.',
      code: 'not_mirrored',
      error: 'not_mirrored',
    },
  ],
  [
    new MacroError('protocol', 'The service answered with a page.'),
    502,
    { detail: 'The service answered with a page.', code: 'bad_gateway', error: 'bad_gateway' },
  ],
])('%s is told as %i', async (error, status, body) => {
  const { ask, source } = await serveScripted();
  source.says(() => {
    throw error;
  });
  const told = await ask('/v1/forex/EUR/USD', KEY);
  expect([told.status, told.json]).toEqual([status, body]);
  expect(told.headers).toEqual({ ...ERROR_HEADERS, 'content-length': String(told.bytes.length) });
});

test('a locked mirror is 503 with a wait, and its path stays here', async () => {
  const { ask, source } = await serveScripted();
  source.says(() => {
    throw new MacroError('mirror', '/home/ann/mirror.db is locked.');
  });
  const told = await ask('/v1/forex/EUR/USD', KEY);
  expect(told.status).toBe(503);
  expect(told.json).toEqual({
    detail: 'The store cannot be read at present.',
    code: 'service_unavailable',
    error: 'service_unavailable',
  });
  expect(told.headers['retry-after']).toBe('30');
});

test('a bug of ours is a bland 500 that names the request, and is told to whoever runs the server', async () => {
  const logged: unknown[] = [];
  const { app, source } = await serveScripted({}, { log: (text, code) => logged.push([text.split('\n')[0], code]) });
  source.says(() => {
    throw new TypeError('secret path /home/ann');
  });
  const response = await app.inject({ url: '/v1/forex/EUR/USD', headers: KEY });
  const id = response.headers['x-request-id'];
  expect(id).toMatch(/^req_[0-9a-f]+$/);
  expect([response.statusCode, response.json()]).toEqual([
    500,
    { detail: 'Internal server error.', code: 'internal_error', error: 'internal_error', request_id: id },
  ]);
  expect(logged).toEqual([[`${id} GET failed: TypeError: secret path /home/ann`, 'request_failed']]);
});

test('every request has a name of its own', async () => {
  const { app } = await serveScripted();
  const names = await Promise.all(Array.from({ length: 50 }, () => app.inject('/v1/ping')));
  expect(new Set(names.map(({ headers }) => headers['x-request-id'])).size).toBe(50);
});

test('all findings of path and query are told together', async () => {
  const { ask, source } = await serveScripted();
  const told = await ask('/v1/forex/EURO/USD?limit=500&start_date=2026-02-30&offset=', KEY);
  expect(told.status).toBe(422);
  const { detail } = told.json as { detail: { loc: string[]; type: string; input?: string }[] };
  expect(detail.map(({ loc, type, input }) => [loc.join('.'), type, input])).toEqual([
    ['path.base', 'string_pattern_mismatch', 'EURO'],
    ['query.start_date', 'date_from_datetime_parsing', '2026-02-30'],
    ['query.limit', 'less_than_equal', '500'],
    ['query.offset', 'int_parsing', ''],
  ]);
  expect(detail[2]).toEqual({
    loc: ['query', 'limit'],
    msg: 'Input should be less than or equal to 100',
    type: 'less_than_equal',
    input: '500',
    ctx: { le: 100 },
  });
  expect(source.asked).toEqual([]);
});

test('a path word that does not exist is 404 before any finding', async () => {
  const { ask } = await serveScripted();
  expect((await ask('/v1/data_catalogue/XYZ?include_coverage=maybe')).json).toEqual({
    detail: 'Unsupported currency: XYZ',
    code: 'unknown_currency',
    error: 'unknown_currency',
  });
  expect((await ask('/v1/announcements/usd/inflatoin?limit=0')).json).toEqual({
    detail: "Unknown indicator 'inflatoin' for USD. Did you mean 'inflation'?",
    code: 'unknown_indicator',
    error: 'unknown_indicator',
    suggestions: ['inflation'],
  });
});

test('the checks stand in their order: route, key, quota, parameters, access, source', async () => {
  const { ask, source } = await serveScripted();
  const bad = { 'x-api-key': 'b\u00e4d' };
  const statusOf = async (url: string, headers = {}) => (await ask(url, headers)).status;
  expect(await statusOf('/v1/nothing', bad)).toBe(404);
  expect(await statusOf('/v1/forex/EUR/USD?limit=0', bad)).toBe(401);
  expect(await statusOf('/v1/forex/EUR/USD?limit=0')).toBe(422);
  expect(await statusOf('/v1/forex/EUR/USD')).toBe(401);
  for (let i = 2; i < 100; i += 1) await ask('/v1/forex/EUR/USD');
  expect(await statusOf('/v1/forex/EUR/USD?limit=0')).toBe(429);
  expect(source.asked).toEqual([]);
});
