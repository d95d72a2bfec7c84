import { describe, expect, test } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { createServer } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, sandboxMirror } from '../support/service.ts';
import { LABELS } from './scripted-source.ts';

async function server(
  options: { now?: string; over?: (platform: ReturnType<typeof testPlatform>['platform']) => Promise<Mirror> } = {},
) {
  const { platform } = testPlatform(options.now === undefined ? {} : { now: options.now });
  const mirror = await (options.over ?? sandboxMirror)(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const serve = { labels: LABELS, quotas: false };
  const app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform, options: serve });
  return async (url: string, keyed = true) => {
    const answer = await app.inject({ url, headers: keyed ? { 'x-api-key': 'k' } : {} });
    return { status: answer.statusCode, text: answer.payload, json: answer.json() };
  };
}

describe('the other addresses of announcements', () => {
  test('give the bytes of the routes that they stand for', async () => {
    const get = await server();
    expect((await get('/v1/latest/announcements/usd')).text).toBe((await get('/v1/announcements/usd/latest')).text);
    expect((await get('/v1/latest/announcements/usd/inflation')).text).toBe(
      (await get('/v1/announcements/usd/inflation?limit=1')).text,
    );
    expect((await get('/v1/recent/announcements/usd/inflation')).text).toBe(
      (await get('/v1/announcements/usd/inflation?limit=5')).text,
    );
    expect((await get('/v1/recent/announcements/usd/inflation?revisions=first&end_date=2026-06-30&limit=2')).text).toBe(
      (await get('/v1/announcements/usd/inflation?revisions=first&end_date=2026-06-30&limit=2')).text,
    );
  });

  test('keep their own bounds', async () => {
    const get = await server();
    expect((await get('/v1/latest/announcements/usd/inflation?limit=2')).status).toBe(422);
    expect((await get('/v1/recent/announcements/usd/inflation?limit=101')).status).toBe(422);
    expect((await get('/v1/recent/announcements/usd?limit=0')).status).toBe(422);
    expect((await get('/v1/latest/announcements/xyz')).json.code).toBe('unknown_currency');
    expect((await get('/v1/recent/announcements/usd/inflatoin')).json.code).toBe('unknown_indicator');
  });

  test('need a key for every currency but one', async () => {
    const get = await server();
    for (const path of ['latest', 'recent'])
      for (const rest of ['', '/inflation']) {
        expect([path, rest, (await get(`/v1/${path}/announcements/usd${rest}`, false)).status]).toEqual([
          path,
          rest,
          200,
        ]);
        expect([path, rest, (await get(`/v1/${path}/announcements/eur${rest}`, false)).status]).toEqual([
          path,
          rest,
          401,
        ]);
      }
  });
});

describe('recent releases of a currency', () => {
  test('are met once each by their pages, newest first', async () => {
    const get = await server();
    const seen: (readonly [number, string])[] = [];
    let total = 0;
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { json } = await get(`/v1/recent/announcements/jpy?limit=100&offset=${offset}`);
      seen.push(
        ...json.data.map(
          (row: { announcement_datetime: number; announcement_id: string }) =>
            [row.announcement_datetime, row.announcement_id] as const,
        ),
      );
      expect(json.count).toBe(json.pagination.returned_count);
      offset = json.pagination.next_offset;
      total = json.pagination.total_count;
    }
    expect(seen).toHaveLength(total);
    expect(new Set(seen.map(([, id]) => id)).size).toBe(total);
    expect(seen.map(([time]) => time)).toEqual([...seen.map(([time]) => time)].sort((a, b) => b - a));
  });

  test('show the rows of the histories', async () => {
    const get = await server();
    const { json } = await get('/v1/recent/announcements/usd?limit=100');
    const row = json.data.find((one: { indicator: string }) => one.indicator === 'inflation');
    const { indicator: _, ...told } = row;
    const history = (await get(`/v1/announcements/usd/inflation?limit=1&end_date=${row.date}`)).json;
    expect(told).toEqual(history.data[0]);
  });

  test('say what a caller without a key does not see', async () => {
    const get = await server();
    const { json } = await get('/v1/recent/announcements/usd', false);
    expect(json.freemium_window).toMatchObject({ applied: true, max_days: 90, cutoff_date: '2026-08-23' });
    expect(json.freemium_delay).toMatchObject({ applied: true, withheld_count: 0 });
    expect(json.pagination.total_count).toBeLessThan(
      (await get('/v1/recent/announcements/usd')).json.pagination.total_count,
    );
  });

  test('of a currency that only the mirror knows are as good as its histories', async () => {
    const get = await server({
      async over(platform) {
        const mirror = await freshMirror(platform);
        const value = { date: '2026-10-31', val: 4.1, announcement_datetime: 1794576600 };
        await mirror.commitPage({
          series: {
            origin: 'https://s.test',
            endpoint: 'announcements',
            scope: { currency: 'HUF', indicator: 'inflation' },
          },
          nature: 'real',
          access: 'key:1',
          request: 'GET /x',
          question: 'x',
          rows: [{ text: asJsonText(JSON.stringify(value)), value }],
          extent: 'adds',
          at: platform.clock.now(),
        });
        return mirror;
      },
    });
    expect((await get('/v1/recent/announcements/huf')).json).toMatchObject({ currency: 'HUF', count: 1 });
    expect((await get('/v1/latest/announcements/huf/inflation')).json.data[0].val).toBe(4.1);
    const panel = 'series=huf:inflation&decision_times=2026-11-21&start_date=2026-01-01&end_date=2026-12-31';
    // Nothing covers that history, so no decision can rest on it.
    expect((await get(`/v1/research/panel?${panel}`)).json.data[0].values[0].val).toBeNull();
    expect((await get('/v1/recent/announcements/pln')).json.code).toBe('unknown_currency');
  });
});
