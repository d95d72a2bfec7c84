import { describe, expect, test } from 'vitest';
import { errorOf } from '../../src/client/http/reply.ts';
import { endpoint, failure, KEY, SENTIMENT, scene, WINDOW } from './support.ts';

const REQUEST = 'GET /v1/risk_sentiment?start_date=2026-01-01&end_date=2026-01-31';

async function answer(status: number, body: unknown, headers: Record<string, string> = {}, key?: string) {
  const times = [429, 500, 502, 503, 504].includes(status) && headers['retry-after'] === undefined ? 4 : 1;
  const { client, upstream } = scene([{ request: REQUEST, status, body, headers, times }], { key });
  const error = await failure(client.ask({ endpoint: SENTIMENT, args: WINDOW }));
  upstream.verify();
  return error;
}

const said = (code: string, detail: string, more: object = {}) => ({ detail, code, error: code, ...more });

describe('documented errors', () => {
  test('400: an option that the series lacks, with the legal values', async () => {
    const supported = { supported_values: ['yoy', 'mom'], supported_options: { frequency: ['yoy', 'mom'] } };
    const body = said('unsupported_series_option', "'frequency=qoq' is not offered for this series.", {
      option: 'frequency',
      value: 'qoq',
      ...supported,
    });
    expect(await answer(400, body)).toMatchObject({
      kind: 'usage',
      status: 400,
      code: 'unsupported_series_option',
      message: "'frequency=qoq' is not offered for this series.",
      hint: 'Legal values of frequency: yoy, mom.',
      extra: { option: 'frequency', value: 'qoq', ...supported },
    });
  });

  test.each(['invalid_webhook_destination', 'prediction_source_required', 'invalid_cursor', 'invalid_request'])(
    '400 %s is a usage error',
    async (code) => {
      expect(await answer(400, said(code, 'No.'))).toMatchObject({ kind: 'usage', status: 400, code, message: 'No.' });
    },
  );

  test('401 without a key says how to give one', async () => {
    const body = said('api_key_required', 'This route needs an API key for EUR.', {
      subscribe_url: 'https://svc.example/subscribe',
    });
    expect(await answer(401, body, { 'www-authenticate': 'Bearer' })).toMatchObject({
      kind: 'auth',
      status: 401,
      code: 'api_key_required',
      hint: 'Give a key with: macro auth login, or in MACRO_API_KEY. Plans: https://svc.example/subscribe',
    });
  });

  test('401 with a key says that it is not accepted, and never which', async () => {
    const error = await answer(401, said('invalid_api_key', `Unknown or revoked API key ${KEY}.`), {}, KEY);
    expect(error).toMatchObject({
      kind: 'auth',
      status: 401,
      code: 'invalid_api_key',
      message: 'Unknown or revoked API key [redacted].',
      hint: 'The key that was sent is not accepted; see which one it is: macro auth status',
    });
  });

  test('403: the plan is not enough', async () => {
    const body = said('subscription_required', 'Your plan does not include this route.', {
      subscribe_url: 'https://svc.example/subscribe',
    });
    expect(await answer(403, body, {}, KEY)).toMatchObject({
      kind: 'auth',
      status: 403,
      code: 'subscription_required',
      hint: 'Use a key whose plan includes it. Plans: https://svc.example/subscribe',
    });
  });

  test.each([
    ["Unknown indicator 'inflatoin' for USD.", "Did you mean 'inflation'?"],
    ["Unknown indicator 'inflatoin' for USD. Did you mean 'inflation'?", 'See which words exist: macro catalogue USD'],
  ])('404 with a suggestion asks once whether it was meant: %s', async (detail, hint) => {
    expect(await answer(404, said('unknown_indicator', detail, { suggestions: ['inflation'] }))).toMatchObject({
      kind: 'notFound',
      status: 404,
      code: 'unknown_indicator',
      message: detail,
      hint,
    });
  });

  test.each([
    ['not_found', 'macro openapi lists the paths that there are.'],
    ['unknown_indicator', 'See which words exist: macro catalogue USD'],
    ['not_mirrored', 'Whoever runs that server can bring it; macro sync at this end cannot.'],
    ['unknown_resource', undefined],
    ['constructor', undefined],
  ])('404 %s hints at what would help: %s', async (code, hint) => {
    expect((await answer(404, said(code, 'No such thing'))).hint).toBe(hint);
  });

  test.each(['not_found', 'unknown_currency', 'unknown_resource', 'release_not_available'])(
    '404 %s is not found',
    async (code) => {
      expect(await answer(404, said(code, 'No such thing'))).toMatchObject({
        kind: 'notFound',
        code,
        message: 'No such thing.',
      });
    },
  );

  test.each([
    ['unknown_indicator', '/v1/announcements/EUR/inflatoin?limit=5', 'See which words exist: macro catalogue EUR'],
    ['unknown_indicator', '/v1/commodities/goldd', 'See which words exist: macro commodities latest'],
    ['unknown_resource', '/v1/settlement/contracts/foo', 'See which there are: macro settlement contracts'],
  ])('404 %s for %s names the list of its route', (code, target, hint) => {
    const reply = { status: 404, headers: new Headers(), text: JSON.stringify(said(code, 'No.')) };
    const context = { target, origin: 'https://svc.example', hasKey: true, now: 0 };
    expect(errorOf(reply, context).hint).toBe(hint);
  });

  test('404 not_mirrored of another mirror names no command of its owner', async () => {
    expect(await answer(404, said('not_mirrored', 'The mirror has none. Fill it with: macro sync cot.'))).toMatchObject(
      {
        kind: 'notFound',
        code: 'not_mirrored',
        message: 'The mirror behind https://api.example.test has nothing for /v1/risk_sentiment.',
      },
    );
  });

  test.each([
    [404, '<!doctype html><p>Not Found'],
    [404, ''],
    [401, '<html>Sign in</html>'],
    [405, '<html>Method Not Allowed</html>'],
  ])('%d with the page of another server is a wrong address: %s', async (status, body) => {
    expect(await answer(status, body)).toMatchObject({
      kind: 'protocol',
      code: 'not_the_service',
      message: `https://api.example.test is not the service: it answers HTTP ${status} to /v1/risk_sentiment, without the words of the service.`,
      hint: 'Check the address of the service (--base-url, MACRO_BASE_URL); macro config explain shows where it comes from.',
    });
  });

  test.each([
    [405, 'method_not_allowed'],
    [413, 'payload_too_large'],
  ])('%d is a usage error', async (status, code) => {
    expect(await answer(status, said(code, 'No.'))).toMatchObject({ kind: 'usage', status, code });
  });

  test('409: the pinned history has changed', async () => {
    const versions = { requested_dataset_version: 'a'.repeat(64), current_dataset_version: 'b'.repeat(64) };
    expect(
      await answer(409, said('dataset_version_mismatch', 'dataset_version is no longer current.', versions)),
    ).toMatchObject({
      kind: 'incomplete',
      status: 409,
      code: 'dataset_version_mismatch',
      extra: versions,
    });
  });

  test('409: an expired checkpoint is incomplete, a full subscription list is not', async () => {
    expect(await answer(409, said('checkpoint_expired', 'Too old.'))).toMatchObject({ kind: 'incomplete' });
    expect(await answer(409, said('subscription_limit_reached', 'Full.'))).toMatchObject({ kind: 'usage' });
  });

  test('422 keeps all findings', async () => {
    const limit = {
      loc: ['query', 'limit'],
      msg: 'Input should be less than or equal to 100',
      type: 'less_than_equal',
      input: '500',
      ctx: { le: 100 },
    };
    const missing = { loc: ['query', 'as_of'], msg: 'Field required', type: 'missing', input: null };
    expect(await answer(422, { detail: [limit, missing] })).toMatchObject({
      kind: 'usage',
      status: 422,
      code: undefined,
      message: "limit: Input should be less than or equal to 100 (got '500'); as_of: Field required.",
      findings: [limit, missing],
    });
  });

  test('422 with odd findings is still a usage error', async () => {
    const error = await answer(422, { detail: [7, { loc: 'limit', input: { a: 1 } }] });
    expect(error).toMatchObject({
      kind: 'usage',
      findings: [{ loc: [], msg: 'Invalid value', type: 'value_error', input: '{"a":1}' }],
    });
  });

  test('429 of the keyless day says when it frees', async () => {
    const body = said('anonymous_usd_rate_limit_exceeded', 'Keyless daily quota of 100 requests is used up.');
    const headers = { 'retry-after': '65627', 'ratelimit-reset': '65627', 'x-ratelimit-window': 'day' };
    expect(await answer(429, body, headers)).toMatchObject({
      kind: 'quota',
      status: 429,
      code: 'anonymous_usd_rate_limit_exceeded',
      retryAfter: 65627,
      message: 'Keyless daily quota of 100 requests is used up. The service asks to wait 18 h 14 min.',
    });
  });

  test('429 of a keyed hour keeps its members', async () => {
    const body = said('rate_limit_exceeded', 'Hourly quota of 5000 requests is used up.', {
      window: 'hour',
      limit: 5000,
      retry_after: 827,
    });
    expect(await answer(429, body, { 'retry-after': '827' }, KEY)).toMatchObject({
      kind: 'quota',
      retryAfter: 827,
      extra: { window: 'hour', limit: 5000, retry_after: 827 },
    });
  });

  test('500 says that the service failed, with the number of the request', async () => {
    const body = said('internal_error', 'Internal server error.', { request_id: 'req_7f3a' });
    expect(await answer(500, body)).toMatchObject({
      kind: 'upstream',
      status: 500,
      code: 'internal_error',
      message: 'The service failed: Internal server error. Tried 4 times.',
      extra: { request_id: 'req_7f3a' },
    });
  });

  test('503 beyond a minute gives up at once', async () => {
    expect(await answer(503, said('service_unavailable', 'Store is loading.'), { 'retry-after': '300' })).toMatchObject(
      {
        kind: 'upstream',
        status: 503,
        retryAfter: 300,
        message: 'The service is not available: Store is loading. The service asks to wait 5 min.',
      },
    );
  });

  test.each([502, 504])('%d with a page of the gateway is an upstream error', async (status) => {
    expect(await answer(status, '<html>Bad gateway</html>', { 'x-request-id': 'r1' })).toMatchObject({
      kind: 'upstream',
      status,
      extra: { request_id: 'r1' },
    });
  });

  test.each([
    [204, 'protocol'],
    [304, 'protocol'],
    [402, 'auth'],
    [410, 'notFound'],
    [418, 'protocol'],
    [501, 'upstream'],
  ])('%d, which nobody documents, is %s', async (status, kind) => {
    const body = status === 204 || status === 304 ? undefined : '';
    expect(await answer(status, body)).toMatchObject({ kind, status });
  });

  test('words of the service cannot move the cursor of a terminal', async () => {
    const error = await answer(404, said('not_found', 'No\u001b[2J such\r\nthing\u202e'));
    expect(error.message).toBe('No [2J such thing.');
  });
});

describe('before any network', () => {
  test('a question that needs a key fails without one', async () => {
    const { client, upstream } = scene([]);
    const error = await failure(client.ask({ endpoint: endpoint('forex'), args: { base: 'EUR', quote: 'USD' } }));
    expect(error).toMatchObject({
      kind: 'auth',
      code: 'api_key_required',
      message: '/v1/forex/{base}/{quote} needs an API key of https://api.example.test, and none is given.',
      hint: 'Store one with: macro auth login, or give it in MACRO_API_KEY.',
    });
    expect(upstream.requests).toEqual([]);
  });

  test('another currency than USD needs a key on mixed routes', async () => {
    const { client } = scene([]);
    const calendar = endpoint('calendar');
    expect(await failure(client.ask({ endpoint: calendar, args: { currency: 'EUR' } }))).toMatchObject({
      kind: 'auth',
      message: '/v1/calendar/{currency} for EUR needs an API key of https://api.example.test, and none is given.',
    });
  });

  test('a header prefix that is no header name is refused', () => {
    expect(() => scene([], { headerPrefix: 'X SVC' })).toThrow(expect.objectContaining({ kind: 'usage' }));
  });
});
