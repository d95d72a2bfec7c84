import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLIENT_VERSION } from '../../src/client/http/version.ts';
import { argsFor, collect, endpoint, failure, KEY, SENTIMENT, scene, WINDOW } from './support.ts';

const PING = { endpoint: endpoint('ping'), args: {} };
const REQUEST = 'GET /v1/risk_sentiment?start_date=2026-01-01&end_date=2026-01-31';
const QUESTION = { endpoint: SENTIMENT, args: WINDOW };
const EMPTY_PAGE = {
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  data: [],
  pagination: { has_more: false, total_count: 0 },
};

const answered = (body: unknown, headers: Record<string, string> = {}) => {
  const { client } = scene([{ request: REQUEST, body, headers }]);
  return client.ask(QUESTION);
};

describe('an answer', () => {
  test('is handed on as it was spelled, with what its headers say', async () => {
    const body = '{"status": "ok",\n "service":"x", "n": 159075000.0, "big": 1789366156962968500}';
    const headers = { etag: 'W/"00ff"', 'X-SVC-Synthetic': '1', 'X-SVC-Edge-Cache': 'HIT-STORE' };
    const { client } = scene([{ request: 'GET /v1/ping', body, headers }]);
    expect(await client.ask(PING)).toEqual({
      status: 200,
      body,
      etag: 'W/"00ff"',
      request: 'GET /v1/ping',
      synthetic: true,
      edgeHit: true,
      notes: [],
    });
  });

  test('is asked for with the key in its header, gzip and a name', async () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(CLIENT_VERSION);
    const sent = {
      'x-api-key': KEY,
      'accept-encoding': 'gzip',
      accept: 'application/json',
      'user-agent': `macro-data/${CLIENT_VERSION}`,
      authorization: null,
      'if-none-match': null,
    };
    const { client, upstream } = scene([{ request: 'GET /v1/ping', body: { status: 'ok', service: 'x' }, sent }], {
      key: ` ${KEY} `,
    });
    await client.ask(PING);
    upstream.verify();
    expect(client.service).toBe('https://api.example.test');
    expect(client.access).toMatch(/^key:[0-9a-f]{12}$/);
  });

  test('without a key carries no key header', async () => {
    const { client, upstream } = scene(
      [{ request: 'GET /v1/ping', body: { status: 'ok' }, sent: { 'x-api-key': null } }],
      { key: '' },
    );
    await client.ask(PING);
    upstream.verify();
    expect(client.access).toBe('keyless');
  });

  test('keeps the path of the contract when the base stands under /api', async () => {
    const { client } = scene([{ request: 'GET /api/v1/ping', body: { status: 'ok' } }], {
      baseUrl: 'https://h.example/api/v1/',
    });
    expect((await client.ask(PING)).request).toBe('GET /v1/ping');
  });

  test('is read by the header prefix of the service', async () => {
    const body = { status: 'ok' };
    const headers = { 'X-Other-Synthetic': '1', 'X-Other-Edge-Cache': 'HIT', 'X-SVC-Edge-Cache': 'MISS' };
    const { client } = scene([{ request: 'GET /v1/ping', body, headers }], { headerPrefix: 'X-Other' });
    expect(await client.ask(PING)).toMatchObject({ synthetic: true, edgeHit: true });
  });

  test('may be: nothing has changed', async () => {
    const sent = { 'if-none-match': 'W/"1"' };
    const { client, upstream } = scene([{ request: REQUEST, status: 304, headers: { etag: 'W/"1"' }, sent }]);
    expect(await client.ask({ ...QUESTION, ifNoneMatch: 'W/"1"' })).toMatchObject({
      status: 304,
      body: '',
      etag: 'W/"1"',
    });
    upstream.verify();
  });

  test('that is empty is an answer', async () => {
    expect((await answered(EMPTY_PAGE)).status).toBe(200);
  });
});

describe('an answer that is none', () => {
  test.each([
    [
      'a web page',
      '<!DOCTYPE html><html><body>Sign in</body></html>',
      'The service answered with a web page instead of data.',
    ],
    ['prose', 'OK', 'The answer of risk_sentiment is not JSON.'],
    ['a list', '[{"date":"2026-01-01"}]', 'The answer of risk_sentiment is not a JSON object.'],
    ['null', 'null', 'The answer of risk_sentiment is not a JSON object.'],
    ['an object and something after it', '{"data":[]} x', 'The answer of risk_sentiment is not JSON.'],
    [
      'no rows',
      { start_date: '2026-01-01' },
      "The answer of risk_sentiment has no rows where they belong (the list 'data').",
    ],
    ['null for rows', { data: null }, "The answer of risk_sentiment has no rows where they belong (the list 'data')."],
    [
      'rows that are no objects',
      { data: [1, 2] },
      "The answer of risk_sentiment has no rows where they belong (the list 'data').",
    ],
    [
      'a row without its key',
      { data: [{ val: 1 }] },
      "The answer of risk_sentiment has a row without a usable 'date'.",
    ],
    [
      'a row with an empty key',
      { data: [{ date: null, val: 1 }] },
      "The answer of risk_sentiment has a row without a usable 'date'.",
    ],
  ])('%s is refused', async (_, body, message) => {
    expect(await failure(answered(body))).toMatchObject({ kind: 'protocol', message });
  });

  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const page = (members: string) =>
    `{"start_date":"2026-01-01","end_date":"2026-01-31","pagination":{"has_more":false,"total_count":0},${members}}`;
  const row = (levels: number) => page(`"data":[{"date":"2026-01-05","x":${deep(levels)}}]`);
  const notJson = { kind: 'protocol', message: 'The answer of risk_sentiment is not JSON.' };

  // The body is one level, a list another, a row the third.
  test.each([
    ['beside the rows', page(`"data":[],"x":${deep(63)}`), page(`"data":[],"x":${deep(64)}`)],
    ['in a row', row(61), row(62)],
    ['in a member that stands twice', page(`"x":${deep(63)},"x":1,"data":[]`), page(`"x":${deep(64)},"x":1,"data":[]`)],
    ['where rows stand twice', page(`"data":${deep(63)},"data":[]`), page(`"data":${deep(64)},"data":[]`)],
  ])('64 levels of JSON are read %s, 65 are refused', async (_, read, refused) => {
    expect((await answered(read)).body).toBe(read);
    expect(await failure(answered(refused))).toMatchObject(notJson);
  });

  test.each([65, 200_000])('JSON of %i levels is refused, whatever it is', async (levels) => {
    expect(await failure(answered(deep(levels)))).toMatchObject(notJson);
    expect(await failure(answered(`{"data":[],"x":${deep(levels)}}`))).toMatchObject(notJson);
  });

  test('bytes that are no UTF-8 are refused', async () => {
    expect(await failure(answered(new Uint8Array([0x7b, 0xff, 0x7d])))).toMatchObject({
      kind: 'protocol',
      code: 'not_utf8',
    });
  });

  test.each([
    [
      'with the words of an error',
      { detail: 'Store is loading.', code: 'service_unavailable', error: 'service_unavailable' },
    ],
    ['with an error and an empty list', { error: 'service_unavailable', detail: 'Store is loading.', data: [] }],
    ['with only a sentence', { detail: 'Store is loading.' }],
  ])('a 200 %s is an error', async (_, body) => {
    expect(await failure(answered(body))).toMatchObject({
      kind: 'protocol',
      message: 'The service answered 200 with an error inside: Store is loading.',
    });
  });

  test('a null error beside rows is no error', async () => {
    expect((await answered({ ...EMPTY_PAGE, error: null, detail: null })).status).toBe(200);
  });

  test('a 200 error is seen in a catalogue and in a document too', async () => {
    const body = { detail: 'Store is loading.', code: 'service_unavailable', error: 'service_unavailable' };
    const { client } = scene([
      { request: 'GET /v1/data_catalogue/USD', body },
      { request: 'GET /v1/ping', body },
    ]);
    const catalogue = { endpoint: endpoint('data_catalogue'), args: { currency: 'USD' } };
    expect(await failure(client.ask(catalogue))).toMatchObject({ kind: 'protocol', code: 'service_unavailable' });
    expect(await failure(client.ask(PING))).toMatchObject({ kind: 'protocol', code: 'service_unavailable' });
  });

  test.each([
    ['currency', { currency: 'EUR', indicator: 'inflation' }],
    ['indicator', { currency: 'USD', indicator: 'gdp' }],
  ])('an answer about another %s is refused', async (name, echo) => {
    const { client } = scene([{ request: 'GET /v1/announcements/USD/inflation', body: { ...echo, data: [] } }]);
    const question = { endpoint: endpoint('announcements'), args: { currency: 'USD', indicator: 'inflation' } };
    expect(await failure(client.ask(question))).toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining(`is about ${name}`),
    });
  });

  test('an echo in another letter case is the same', async () => {
    const body = { base: 'eur', quote: 'usd', data: [] };
    const { client } = scene([{ request: 'GET /v1/forex/EUR/USD', body }], { key: KEY });
    expect((await client.ask({ endpoint: endpoint('forex'), args: { base: 'EUR', quote: 'USD' } })).status).toBe(200);
  });

  test('a key that is an instant may be written as one', async () => {
    const row = { calendar_event_id: 'a', release: 'gdp' };
    const ask = (announcement_datetime: unknown) => {
      const { client } = scene([
        { request: 'GET /v1/calendar/USD', body: { currency: 'USD', data: [{ ...row, announcement_datetime }] } },
      ]);
      return client.ask({ endpoint: endpoint('calendar'), args: { currency: 'USD' } });
    };
    expect((await ask(1796909400)).status).toBe(200);
    expect((await ask('2026-12-10T13:30:00Z')).status).toBe(200);
    expect(await failure(ask('soon'))).toMatchObject({ kind: 'protocol' });
  });
});

describe('recorded answers', () => {
  const folder = '../shared/fixtures/recorded/probe';
  const isHere = existsSync(folder);
  const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');

  test.skipIf(!isHere)('a page of announcements, asked for and walked', async () => {
    const body = read('announcements_usd_inflation_limit3.json');
    const announcements = endpoint('announcements');
    const { client, upstream } = scene([{ request: 'GET /v1/announcements/USD/inflation?limit=3', body, times: 2 }]);
    const question = { endpoint: announcements, args: { currency: 'USD', indicator: 'inflation', limit: 3 } };
    expect((await client.ask(question)).body).toBe(body);
    const pages = await collect(client.pages(question));
    expect(
      pages.map(({ offset, total, next, cut }) => ({
        offset,
        total,
        next,
        dates: cut.rows.map((row) => row.value.date),
      })),
    ).toEqual([{ offset: 0, total: 3, next: undefined, dates: ['2026-08-31', '2026-07-31', '2026-06-30'] }]);
    upstream.verify();
  });

  test.skipIf(!isHere)('a calendar and a catalogue', async () => {
    const calendar = endpoint('calendar');
    const catalogue = endpoint('data_catalogue');
    const { client } = scene([
      { request: 'GET /v1/calendar/USD', body: read('calendar_usd_excerpt.json') },
      { request: 'GET /v1/data_catalogue/USD', body: read('data_catalogue_usd_excerpt.json') },
    ]);
    const [events] = await collect(client.pages({ endpoint: calendar, args: argsFor(calendar, { currency: 'usd' }) }));
    expect(events?.cut.rows).toHaveLength(5);
    const [entries] = await collect(client.pages({ endpoint: catalogue, args: { currency: 'USD' } }));
    expect(entries?.cut.rows.map((row) => row.name)).toEqual(['gdp', 'effr']);
  });
});
