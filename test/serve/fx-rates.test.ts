import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN_CURRENCIES } from '../../src/contract/words/words.ts';
import { ENDPOINTS, MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createServer, type ServeApp } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { sandboxPath } from '../support/service.ts';
import { KEY, LABELS } from './scripted-source.ts';

// Saturday: the last session is Friday's.
const world = testPlatform({ folder: freshFolder(), now: '2026-11-21T05:46:13Z' });
let app: ServeApp;
const opened: Mirror[] = [];

afterAll(() => {
  for (const mirror of opened) mirror.close();
});

beforeAll(async () => {
  app = await serverOf(world);
});

/** A server over a sandbox of its own. */
async function serverOf({ platform, folder }: ReturnType<typeof testPlatform>): Promise<ServeApp> {
  copyFileSync(await sandboxPath(platform), join(folder, 'sandbox.db'));
  const mirror = await openMirror({ path: join(folder, 'sandbox.db'), mappings: MAPPINGS, platform, mode: 'write' });
  opened.push(mirror);
  const source = createMirrorSource({ mirror, labels: LABELS });
  return createServer({
    source,
    mirror,
    endpoints: ENDPOINTS,
    platform,
    options: { labels: LABELS, quotas: false },
  });
}

async function get(path: string, headers: Record<string, string> = KEY, served = app) {
  const response = await served.inject({ url: `/v1/fx/${path}`, headers });
  return {
    status: response.statusCode,
    etag: String(response.headers.etag),
    body: response.payload ? response.json() : {},
  };
}

const PAIRS = MAIN_CURRENCIES.flatMap((base) =>
  MAIN_CURRENCIES.filter((quote) => quote !== base).map((quote) => `${base}/${quote}`),
);

describe('the sandbox', () => {
  it('answers reference and intraday rates of every pair of its set', async () => {
    for (const pair of PAIRS) {
      const { status, body } = await get(`reference-rates/${pair}`);
      expect([pair, status, body.pair, body.data.length > 30]).toEqual([pair, 200, pair, true]);
      const intraday = await get(`intraday-reference-rates/${pair}?start_time=2026-11-18T00:00:00Z`);
      expect([pair, intraday.status, intraday.body.count]).toEqual([pair, 200, intraday.body.data.length]);
      expect(intraday.body.count).toBeGreaterThanOrEqual(3);
    }
  });

  it('answers a window that ends with the first second that can be spelled: it begins there as well', async () => {
    const { status, body } = await get('intraday-reference-rates/EUR/USD?end_time=0000-01-01T00:00:00Z');
    const first = '0000-01-01T00:00:00Z';
    expect([status, body]).toEqual([200, { pair: 'EUR/USD', start_time: first, end_time: first, count: 0, data: [] }]);
  });

  it('answers session rates of every pair: those that a desk fixes have rows, the others are empty', async () => {
    const direct = new Set([
      'USD/CAD',
      'USD/CHF',
      'USD/JPY',
      ...MAIN_CURRENCIES.filter((code) => code !== 'EUR').map((code) => `EUR/${code}`),
    ]);
    for (const pair of PAIRS) {
      const { status, body } = await get(`session-rates/${pair}?session=London`);
      expect([pair, status, body.session, body.pagination.total_count > 30]).toEqual([
        pair,
        200,
        'london',
        direct.has(pair),
      ]);
    }
  });

  it('has rates of which the last of a day is the daily one', async () => {
    const daily = (await app.inject({ url: '/v1/forex/EUR/USD?limit=20', headers: KEY })).json();
    const { body } = await get('reference-rates/EUR/USD?order=timestamp_desc&limit=80&native_only=true');
    const rates = (rows: { date: string; val: number }[]) => rows.map(({ date, val }) => [date, val]);
    const isLast = ({ date }: { date: string }, i: number, rows: { date: string }[]) => date !== rows[i - 1]?.date;
    // Four times a day.
    expect(rates(body.data.filter(isLast))).toEqual(rates(daily.data));
  });

  it('names each pair of the universe for its sources', async () => {
    const { body } = await get('source-universe?currency=usd', {});
    expect(body.currency).toBe('USD');
    expect(body.data.map(({ source }: { source: { id: string } }) => source.id)).toEqual([
      'sandbox_eur_daily',
      'sandbox_usd_daily',
    ]);
    for (const { pair_count, pairs } of body.data) {
      expect(pairs).toHaveLength(pair_count);
      expect(pairs.every(({ pair }: { pair: string }) => pair.includes('USD'))).toBe(true);
    }
    expect((await get('source-universe?source=nobody', {})).body.data).toEqual([]);
  });
});

describe('a caller', () => {
  it('without a key sees the universe and nothing else', async () => {
    const routes = [
      'reference-rates/EUR/USD',
      'intraday-reference-rates/EUR/USD',
      'session-rates/EUR/USD?session=tokyo',
      'source-universe',
    ];
    const statuses = await Promise.all(routes.map(async (route) => (await get(route, {})).status));
    expect(statuses).toEqual([401, 401, 401, 200]);
  });

  it.each([
    ['reference-rates/EUR/ZZZ', 404, 'unknown_currency'],
    ['intraday-reference-rates/ZZZ/USD', 404, 'unknown_currency'],
    ['session-rates/EUR/ZZZ?session=tokyo', 404, 'unknown_currency'],
  ])('who asks for %s is told %i %s', async (route, status, code) => {
    const answer = await get(route);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    ['reference-rates/EURO/USD', ['path', 'base'], 'string_pattern_mismatch'],
    ['reference-rates/EUR/EUR', ['path', 'quote'], 'value_error'],
    ['reference-rates/EUR/USD?order=newest', ['query', 'order'], 'enum'],
    ['reference-rates/EUR/USD?timestamp_type=closing', ['query', 'timestamp_type'], 'enum'],
    ['reference-rates/EUR/USD?native_only=maybe', ['query', 'native_only'], 'bool_parsing'],
    ['reference-rates/EUR/USD?date=2026-02-30', ['query', 'date'], 'date_from_datetime_parsing'],
    ['reference-rates/EUR/USD?limit=101', ['query', 'limit'], 'less_than_equal'],
    ['reference-rates/EUR/USD?start_date=2026-02-02&end_date=2026-01-01', ['query', 'start_date'], 'value_error'],
    ['reference-rates/EUR/USD?dataset_version=x', ['query', 'dataset_version'], 'string_pattern_mismatch'],
    ['session-rates/EUR/USD', ['query', 'session'], 'missing'],
    ['session-rates/EUR/USD?session=paris', ['query', 'session'], 'enum'],
    ['intraday-reference-rates/EUR/USD?start_time=soon', ['query', 'start_time'], 'value_error'],
    [
      'intraday-reference-rates/EUR/USD?start_time=2026-11-02T00:00:00Z&end_time=2026-11-01T00:00:00Z',
      ['query', 'start_time'],
      'value_error',
    ],
    [
      'intraday-reference-rates/EUR/USD?start_time=2026-10-01T00:00:00Z&end_time=2026-11-01T00:00:01Z',
      ['query', 'start_time'],
      'value_error',
    ],
  ])('who asks for %s is told what is wrong', async (route, loc, type) => {
    const { status, body } = await get(route);
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc, type })]);
  });

  it('may ask for 31 days of intraday rates, and for a date whatever the window says', async () => {
    const month = 'start_time=2026-10-01T00:00:00Z&end_time=2026-11-01T00:00:00%2B00:00';
    const { status, body } = await get(`intraday-reference-rates/eur/usd?${month}`);
    expect([status, body.pair, body.start_time, body.end_time]).toEqual([
      200,
      'EUR/USD',
      '2026-10-01T00:00:00Z',
      '2026-11-01T00:00:00Z',
    ]);
    const times = body.data.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect(times).toEqual([...times].sort());
    // 14:15 in Frankfurt is 12:15Z until the clocks change on 25 October, and 13:15Z from then on; so are 8, 10 and 12.
    const summer = ['06:00:00Z', '08:00:00Z', '10:00:00Z', '12:15:00Z'];
    const winter = ['07:00:00Z', '09:00:00Z', '11:00:00Z', '13:15:00Z'];
    expect([...new Set(times.map((time: string) => time.slice(11)))]).toEqual([...summer, ...winter]);
    const single = await get('reference-rates/EUR/USD?date=2026-11-19&start_date=2026-12-01&end_date=2026-01-01');
    expect([single.status, single.body.start_date, single.body.data.length]).toEqual([200, '2026-11-19', 4]);
  });

  it('who names no time gets the last 24 hours', async () => {
    const { body } = await get('intraday-reference-rates/EUR/USD');
    expect([body.start_time, body.end_time]).toEqual(['2026-11-20T05:46:13Z', '2026-11-21T05:46:13Z']);
    expect(body.data.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
      '2026-11-20T07:00:00Z',
      '2026-11-20T09:00:00Z',
      '2026-11-20T11:00:00Z',
      '2026-11-20T13:15:00Z',
    ]);
    const until = await get('intraday-reference-rates/EUR/USD?end_time=2026-11-20T12:00:00Z');
    expect(until.body.start_time).toBe('2026-11-19T12:00:00Z');
  });

  it('walks all rows of a pair once, and a pin holds the walk together', async () => {
    const first = await get('reference-rates/USD/JPY?limit=40');
    const { dataset_version: pin, pagination } = first.body;
    expect(pin).toMatch(/^[0-9a-f]{64}$/);
    const seen: string[] = [];
    for (let page = 1; seen.length < pagination.total_count; page += 1) {
      const { body } = await get(`reference-rates/USD/JPY?limit=40&page=${page}&dataset_version=${pin}`);
      expect([body.dataset_version, body.coverage]).toEqual([pin, first.body.coverage]);
      seen.push(
        ...body.data.map(
          (row: { timestamp_utc: string; source: { id: string } }) => `${row.timestamp_utc} ${row.source.id}`,
        ),
      );
    }
    expect(seen).toEqual([...new Set(seen)].sort());
    expect((await get(`reference-rates/USD/JPY?dataset_version=${'a'.repeat(64)}`)).status).toBe(409);
  });

  it('gets 100 rows when no limit is named', async () => {
    const { body } = await get('reference-rates/USD/JPY');
    expect([body.pagination.limit, body.data.length, body.pagination.has_more]).toEqual([100, 100, true]);
  });

  it('holds the answer of a session until the next close, not longer', async () => {
    const route = 'session-rates/EUR/USD?session=tokyo&start_date=2026-11-18';
    const saturday = await get(route);
    expect((await get(route, { ...KEY, 'if-none-match': saturday.etag })).status).toBe(304);
    // Monday, 23 November, 09:00Z is the close in Tokyo.
    await world.clock.advance(Date.parse('2026-11-23T08:59:59Z') - world.clock.now());
    const before = await get(route);
    expect(before.body.data.map(({ date }: { date: string }) => date)).toEqual([
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
    ]);
    expect((await get(route, { ...KEY, 'if-none-match': before.etag })).status).toBe(304);
    await world.clock.advance(1000);
    const after = await get(route, { ...KEY, 'if-none-match': before.etag });
    expect(
      after.body.data
        .map(({ date, staleness_minutes }: { date: string; staleness_minutes: number }) => [date, staleness_minutes])
        .at(-1),
    ).toEqual(['2026-11-23', 4065]);
  });

  it('holds the answer of a session up to any end that is named until days over lie behind the last check', async () => {
    const own = testPlatform({ folder: freshFolder(), now: '2026-11-21T05:46:13Z' });
    const served = await serverOf(own);
    const route = 'session-rates/EUR/USD?session=tokyo&start_date=2026-11-18&end_date=2026-11-23';
    const saturday = await get(route, KEY, served);
    expect([
      saturday.body.mirror,
      (await get(route, { ...KEY, 'if-none-match': saturday.etag }, served)).status,
    ]).toEqual([undefined, 304]);
    await own.clock.advance(Date.parse('2026-11-23T09:00:00Z') - own.clock.now());
    // Saturday was not over when it was checked.
    const monday = await get(route, { ...KEY, 'if-none-match': saturday.etag }, served);
    expect([monday.status, monday.etag, monday.body.mirror, monday.body.data]).toEqual([
      200,
      'undefined',
      {
        complete: false,
        missing: [{ series: 'fx reference eur usd', from: '2026-11-21', to: '2026-11-23' }],
        checked_at: '2026-11-21T05:46:13Z',
      },
      saturday.body.data,
    ]);
  });
});
