import { describe, expect, it } from 'vitest';
import { upstreamWorld } from './world.ts';

const INFLATION = '/v1/announcements/usd/inflation?limit=3';

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  Response.json({ detail: 'no', code: 'not_found' }, { status, headers });

describe('what a service says goes before what is stored', () => {
  it.each([404, 410, 451])('a %d of the service is passed on, also where the series is stored', async (status) => {
    const { ask, clock, service } = await upstreamWorld();
    expect((await ask(INFLATION)).status).toBe(200);
    await clock.sleep(2 * 3_600_000);
    service.says = () => refusal(status);
    const { headers, ...answer } = await ask(INFLATION);
    expect([answer.status, answer.warning, headers.etag]).toEqual([status, undefined, undefined]);
  });

  it.each([500, 502, 503, 504])('a %d is covered by what is stored, which says so', async (status) => {
    const { ask, clock, service } = await upstreamWorld();
    await ask(INFLATION);
    await clock.sleep(2 * 3_600_000);
    service.says = () => refusal(status);
    const { status: told, warning = '' } = await ask(INFLATION);
    expect([told, String(warning).slice(0, 5)]).toEqual([200, '110 -']);
  });
});

it('a window of one page costs three requests at most', async () => {
  const { ask, seen } = await upstreamWorld();
  await ask(INFLATION);
  expect(seen.length).toBeLessThanOrEqual(3);
});

it('a service that asks to be left alone for months is asked again within a minute, and its 503 does not say where it is', async () => {
  const { ask, clock, service, seen } = await upstreamWorld();
  service.says = () => refusal(503, { 'retry-after': '9936000' });
  const first = await ask(INFLATION);
  expect([first.status, first.headers['retry-after'], JSON.parse(first.body).code]).toEqual([
    503,
    '60',
    'upstream_unavailable',
  ]);
  expect(first.body).not.toContain('127.0.0.1');
  service.says = () => undefined;
  await clock.sleep(30_000);
  expect((await ask(INFLATION)).headers['retry-after']).toBe('30');
  await clock.sleep(31_000);
  expect([(await ask(INFLATION)).status, seen.length > 0]).toEqual([200, true]);
});

it.each([
  [404, {}, 404, '60'],
  [409, {}, 409, '60'],
  [429, {}, 503, '86400'],
  [429, { 'ratelimit-reset': '47' }, 503, '47'],
  // 14:00 UTC.
  [429, { 'x-ratelimit-window': 'day' }, 503, '36000'],
])(
  'a %d with %o that asks callers to wait for months becomes a %d with a wait of its own',
  async (said, headers, status, wait) => {
    const { ask, service } = await upstreamWorld();
    service.says = () => refusal(said, { 'retry-after': '9936000', ...headers });
    const answer = await ask('/v1/cot/usd?limit=3');
    expect([answer.status, answer.headers['retry-after']]).toEqual([status, wait]);
  },
);

it('a cursor of this mirror reaches the service as a time', async () => {
  const { ask, clock, service, seen } = await upstreamWorld();
  await ask('/v1/announcements/changes');
  service.isDown = true;
  const { next_cursor: own } = JSON.parse((await ask('/v1/announcements/changes')).body);
  expect(own).toMatch(/^m1\./);
  service.isDown = false;
  await clock.sleep(61_000);
  const told = await ask(`/v1/announcements/changes?since=${own}`);
  expect([told.status, seen.at(-1)]).toEqual([200, expect.stringMatching(/since=\d+ 200$/)]);
});

it('an indicator that our tables do not know is asked of the service, which knows what it has', async () => {
  const { ask, service, seen } = await upstreamWorld();
  const unknown = '/v1/announcements/usd/brand_new';
  // The service behind it goes by the same tables.
  const refused = await ask(unknown);
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([404, 'unknown_indicator']);
  expect(seen.some((request) => request.includes('/brand_new'))).toBe(true);
  service.says = ({ pathname }) =>
    pathname.endsWith('/brand_new')
      ? Response.json({
          ...{ currency: 'USD', indicator: 'brand_new', requested_window_has_data: true },
          pagination: { limit: 20, offset: 0, returned_count: 1, total_count: 1, has_more: false },
          data: [{ date: '2026-10-31', val: 7.5 }],
        })
      : undefined;
  const { status, body } = await ask(unknown);
  expect([status, JSON.parse(body).data]).toEqual([200, [{ date: '2026-10-31', val: 7.5 }]]);
});
