import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { collect, livePages } from '../../src/source/stored/collect-pages.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL } from '../support/service.ts';

const DAY = 86_400_000;
const dateAt = (i: number) => new Date(Date.parse('2026-11-21') - i * DAY).toISOString().slice(0, 10);
const NEWEST_FIRST = Array.from({ length: 200 }, (_, i) => dateAt(i));

/** A service that has its rows in an order of its own. */
function serviceOf(dates: readonly string[]): Fetch {
  return async (url) => {
    const query = new URL(url).searchParams;
    const [from = '', to = ''] = [query.get('start_date') ?? '', query.get('end_date') ?? ''];
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
    const inside = dates.filter((date) => date >= from && date <= to);
    const data = inside.slice(offset, offset + limit).map((date) => ({ date, val: 1.5 }));
    const end = offset + data.length;
    const more = end < inside.length;
    const pagination = { limit, offset, returned_count: data.length, total_count: inside.length, has_more: more };
    return Response.json({
      base: 'EUR',
      quote: 'USD',
      pagination: { ...pagination, ...(more && { next_offset: end }) },
      data,
    });
  };
}

async function world(dates: readonly string[]) {
  const { platform, clock } = testPlatform({ now: '2026-11-21T12:34:00Z' });
  const mirror = await freshMirror(platform);
  const client = createClient({
    platform: { ...platform, fetch: serviceOf(dates) },
    baseUrl: SERVICE_URL,
    key: 'k-test',
  });
  const options = { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] };
  const targets = await selectTargets(['fx eur usd'], options);
  const held = async () => {
    const [series] = await mirror.find({ endpoint: 'forex', scope: {} });
    return series ? (await mirror.rows(series, {})).map(({ key }) => String(key[0])) : [];
  };
  return {
    mirror,
    client,
    held,
    sync: () => runSync({ client, mirror, clock, targets, maxAge: 0 }),
    now: clock.now(),
  };
}

const evens = NEWEST_FIRST.filter((_, i) => i % 2 === 0);
const odds = NEWEST_FIRST.filter((_, i) => i % 2 === 1);

describe('pages that do not come newest first', () => {
  it.each([
    ['each other row on a later page', [...evens, ...odds], evens],
    ['the oldest page first', [...NEWEST_FIRST].reverse(), []],
    [
      'pages changed over',
      [...NEWEST_FIRST.slice(100, 200), ...NEWEST_FIRST.slice(0, 100)],
      NEWEST_FIRST.slice(100, 200),
    ],
  ])('lose no row, and the run is refused: %s', async (_, dates, kept) => {
    const { sync, held } = await world(dates);
    const { outcome, kind, rows, series } = await sync();
    expect([outcome, kind, rows.vanished, series[0]?.problem?.code]).toEqual([
      'failed',
      'protocol',
      0,
      'pages_out_of_order',
    ]);
    expect(await held()).toEqual(kept);
  });

  it('are refused in a question for all rows too', async () => {
    const { mirror, client, held, now } = await world([...evens, ...odds]);
    const endpoint = endpointById('forex');
    if (!endpoint) throw new Error('no endpoint');
    const args = { base: 'EUR', quote: 'USD', start_date: '1900-01-01', end_date: '2026-11-21', limit: 100, offset: 0 };
    const question = { endpoint, args };
    const asking = collect(
      livePages({ client, mirror }, question, { caller: { kind: 'keyless' }, now }),
      question,
      'all',
    );
    await expect(asking).rejects.toMatchObject({ kind: 'protocol', code: 'pages_out_of_order' });
    expect(await held()).toEqual(evens);
  });

  it('are no matter while everything is one page', async () => {
    const { sync, held } = await world(NEWEST_FIRST.slice(0, 40).reverse());
    expect((await sync()).outcome).toBe('complete');
    expect(await held()).toEqual(NEWEST_FIRST.slice(0, 40));
  });
});
