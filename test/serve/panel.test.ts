import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createServer } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { sandboxMirror } from '../support/service.ts';
import { LABELS } from './scripted-source.ts';

const PATH = '/v1/research/panel';
const KEY = { 'x-api-key': 'k' };
const QUESTION = {
  series: [
    { currency: 'usd', indicator: 'inflation', max_age_days: 60 },
    { currency: 'eur', indicator: 'inflation' },
  ],
  decision_times: ['2026-11-14', '2026-10-14T12:30:00Z'],
  start_date: '2026-01-01',
  end_date: '2026-12-31',
};
const QUERY =
  'series=usd:inflation:60,eur:inflation&decision_times=2026-11-14,2026-10-14T12:30:00Z&start_date=2026-01-01&end_date=2026-12-31';

async function server(options: { quotas?: boolean } = {}) {
  const world = testPlatform();
  const mirror = await sandboxMirror(world.platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const serve = { labels: LABELS, quotas: options.quotas ?? false };
  const app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform: world.platform, options: serve });
  const post = (payload: unknown, headers: Record<string, string> = KEY) =>
    app.inject({
      method: 'POST',
      url: PATH,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    });
  return { app, post, clock: world.clock };
}

describe('a posted panel', () => {
  test('is answered like the same question in the address, without a validator', async () => {
    const { app, post } = await server();
    const posted = await post(QUESTION);
    const got = await app.inject({ url: `${PATH}?${QUERY}`, headers: KEY });
    expect([posted.statusCode, got.statusCode]).toEqual([200, 200]);
    expect(posted.payload).toBe(got.payload);
    expect(posted.json()).toMatchObject({ availability: 'public', count: 2, missing_count: 0 });
    expect(posted.json().data.map((row: { decision_time: string }) => row.decision_time)).toEqual([
      '2026-11-14T00:00:00Z',
      '2026-10-14T12:30:00Z',
    ]);
    expect(posted.json().dataset_version).toMatch(/^[0-9a-f]{64}$/);
    expect([posted.headers.etag, typeof got.headers.etag]).toEqual([undefined, 'string']);
    expect(posted.headers['x-svc-edge-cache']).toBe('BYPASS');
  });

  test('is judged anew each time: another body at the same address is another answer', async () => {
    const { post } = await server();
    const [first, second] = [await post(QUESTION), await post({ ...QUESTION, decision_times: ['2026-05-01'] })];
    expect([first.json().count, second.json().count]).toEqual([2, 1]);
    const held = await post(QUESTION, { ...KEY, 'if-none-match': '*' });
    expect(held.statusCode).toBe(200);
  });

  test('takes ten thousand decisions in any order', async () => {
    const { post } = await server();
    const times = Array.from({ length: 10_000 }, (_, i) => 1793000000 - (i % 2 === 0 ? i : -i) * 1000);
    const answer = await post({ ...QUESTION, decision_times: times });
    expect([answer.statusCode, answer.json().count]).toEqual([200, 10_000]);
  });

  test('keeps to a pin', async () => {
    const { post } = await server();
    const { dataset_version } = (await post(QUESTION)).json();
    expect((await post({ ...QUESTION, dataset_version })).statusCode).toBe(200);
    const other = await post({ ...QUESTION, dataset_version: 'b'.repeat(64) });
    expect([other.statusCode, other.json().code]).toEqual([409, 'dataset_version_mismatch']);
  });
});

describe('what is refused', () => {
  test('a body that does not fit, in the words of the body', async () => {
    const { post } = await server();
    const answer = await post({ ...QUESTION, series: [{ currency: 'usd' }], extra: 1, start_date: '2027-01-01' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([
      { loc: ['body', 'series', 0, 'indicator'], msg: 'Field required', type: 'missing', input: null },
      { loc: ['body', 'extra'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden', input: '1' },
    ]);
    const window = await post({ ...QUESTION, start_date: '2027-01-01' });
    expect(window.json().detail).toEqual([
      {
        loc: ['body', 'start_date'],
        msg: 'Value error, start_date must not be after end_date',
        type: 'value_error',
        input: '2027-01-01',
      },
    ]);
  });

  test('a body that is no JSON, or says that it is something else', async () => {
    const { app, post } = await server();
    const noJson = [{ loc: ['body'], type: 'json_invalid' }];
    for (const answer of [
      await post('{'),
      await post(QUESTION, { ...KEY, 'content-type': 'text/plain' }),
      await post(QUESTION, { ...KEY, 'content-type': 'nonsense' }),
      await app.inject({ method: 'POST', url: PATH, headers: KEY }),
    ]) {
      expect(answer.statusCode).toBe(422);
      expect(answer.json().detail).toMatchObject(noJson);
    }
  });

  test('a body of more than a megabyte', async () => {
    const { post } = await server();
    const answer = await post(Buffer.alloc(1_048_577, 0x20));
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'payload_too_large']);
  });

  test('a caller without a key, after the parameters and before the data', async () => {
    const { post } = await server();
    const answer = await post(QUESTION, {});
    expect([answer.statusCode, answer.json().code, answer.headers['www-authenticate']]).toEqual([
      401,
      'api_key_required',
      'Bearer',
    ]);
    expect((await post({}, {})).statusCode).toBe(422);
  });

  test('words that do not exist, and series that nobody has brought', async () => {
    const { post } = await server();
    const ask = async (currency: string, indicator: string) => {
      const answer = await post({ ...QUESTION, series: [{ currency, indicator }, ...QUESTION.series] });
      return [answer.statusCode, answer.json().code, answer.json().detail];
    };
    expect(await ask('xyz', 'inflation')).toEqual([404, 'unknown_currency', 'Unsupported currency: XYZ']);
    expect((await ask('usd', 'inflatoin')).slice(0, 2)).toEqual([404, 'unknown_indicator']);
    expect(await ask('usd', 'nairu')).toEqual([
      404,
      'not_mirrored',
      'The mirror has nothing for announcements USD nairu. Fill it with: macro sync announcements usd nairu',
    ]);
  });

  test('every other verb, with the verbs that there are', async () => {
    const { app } = await server();
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url: PATH, headers: KEY });
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    }
    const other = await app.inject({ method: 'POST', url: '/v1/forex/eur/usd', headers: KEY });
    expect([other.statusCode, other.headers.allow]).toEqual([405, 'GET, HEAD']);
    const head = await app.inject({ method: 'HEAD', url: `${PATH}?${QUERY}`, headers: KEY });
    expect([head.statusCode, head.payload]).toEqual([200, '']);
  });
});

describe('the budget of this route', () => {
  test('is thirty a minute for each caller, whatever the verb', async () => {
    const { app, post, clock } = await server({ quotas: true });
    const limits = (headers: Record<string, unknown>) => [
      headers['ratelimit-limit'],
      headers['ratelimit-remaining'],
      headers['x-ratelimit-limit'],
      headers['x-ratelimit-remaining'],
      headers['x-ratelimit-window'],
    ];
    const first = await post(QUESTION);
    expect(limits(first.headers)).toEqual(['300', '299', '30', '29', 'endpoint']);
    for (let i = 0; i < 29; i += 1) await app.inject({ url: `${PATH}?${QUERY}`, headers: KEY });
    const refused = await post(QUESTION);
    expect([refused.statusCode, refused.json()]).toEqual([
      429,
      {
        detail: 'Quota of 30 requests a minute for this route is used up.',
        code: 'rate_limit_exceeded',
        error: 'rate_limit_exceeded',
        window: 'endpoint',
        limit: 30,
        retry_after: 47,
      },
    ]);
    expect([refused.headers['retry-after'], ...limits(refused.headers)]).toEqual([
      '47',
      '300',
      '270',
      '30',
      '0',
      'endpoint',
    ]);
    // Other routes and other callers go on; the next minute is a new one.
    expect((await app.inject({ url: '/v1/forex/eur/usd', headers: KEY })).statusCode).toBe(200);
    expect((await post(QUESTION, { 'x-api-key': 'other' })).statusCode).toBe(200);
    await clock.advance(47_000);
    expect((await post(QUESTION)).statusCode).toBe(200);
  });
});
