import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL } from '../support/service.ts';

interface Row {
  readonly date: string;
  readonly val: number;
}

/** A service whose history can change between two requests. */
interface Moving {
  rows: readonly Row[];
  etag: string;
  version?: string;
  /** So many later pages tell a total that is off by one. */
  hiccups: number;
  /** Later pages cannot be had. */
  broken: boolean;
}

function daily(count: number): readonly Row[] {
  const at = (i: number) => new Date(Date.parse('2026-11-21') - i * 86_400_000).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, i) => ({ date: at(i), val: 1 + i / 1000 }));
}

function fetchFrom(service: Moving): Fetch {
  return async (url, init) => {
    const query = new URL(url).searchParams;
    const [from = '', to = ''] = [query.get('start_date') ?? '', query.get('end_date') ?? ''];
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
    if (new Headers(init.headers).get('if-none-match') === service.etag)
      return new Response(null, { status: 304, headers: { etag: service.etag } });
    if (offset > 0 && service.broken) throw new TypeError('fetch failed');
    const pin = query.get('dataset_version');
    if (pin !== null && pin !== service.version)
      return new Response('{"detail":"moved","code":"dataset_version_mismatch","error":"dataset_version_mismatch"}', {
        status: 409,
      });
    const rows = service.rows.filter(({ date }) => date >= from && date <= to);
    const off = offset > 0 && service.hiccups > 0 ? 1 : 0;
    service.hiccups -= off;
    const data = rows.slice(offset, offset + limit);
    const end = offset + data.length;
    const total_count = rows.length + off;
    const pagination = { limit, offset, returned_count: data.length, total_count, has_more: end < total_count };
    const next = end < total_count ? { next_offset: end } : {};
    const version = service.version === undefined ? {} : { dataset_version: service.version };
    const body = { base: 'EUR', quote: 'USD', ...version, pagination: { ...pagination, ...next }, data };
    return Response.json(body, { headers: { etag: service.etag } });
  };
}

async function world(service: Moving) {
  const { platform, clock } = testPlatform({ now: '2026-11-21T12:34:00Z' });
  const mirror = await freshMirror(platform);
  const client = createClient({
    platform: { ...platform, fetch: fetchFrom(service) },
    baseUrl: SERVICE_URL,
    key: 'k-test',
  });
  const options = { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] };
  const targets = await selectTargets(['fx eur usd'], options);
  const sync = async () => (await runSync({ client, mirror, clock, targets, maxAge: 0 })).outcome;
  const held = async () => {
    const [series] = await mirror.find({ endpoint: 'forex', scope: {} });
    return series ? (await mirror.rows(series, {})).map((row): Row => JSON.parse(row.text)) : [];
  };
  const walk = async () => {
    const [series] = await mirror.find({ endpoint: 'forex', scope: {} });
    return series && mirror.walk(series, client.access);
  };
  return { sync, held, walk };
}

describe('a history that moves', () => {
  it('is never called complete because its first page has not changed', async () => {
    const service: Moving = { rows: daily(300), etag: 'W/"1"', hiccups: 1, broken: false };
    const { sync, held } = await world(service);
    expect(await sync()).toBe('complete');
    expect(await held()).toEqual(service.rows);
    service.broken = true;
    expect(await sync()).toBe('complete');
    expect(await held()).toEqual(service.rows);
  });

  it.each([
    ['with a version of its data', 'a'.repeat(64), 'b'.repeat(64)],
    ['without one', undefined, undefined],
  ])('between a death and the next run, %s, ends as it is', async (_, before, after) => {
    const rows = daily(300);
    const service: Moving = { rows, etag: 'W/"1"', hiccups: 0, broken: true, ...(before && { version: before }) };
    const { sync, held } = await world(service);
    expect(await sync()).toBe('failed');
    // A row of the page that is held goes, another comes at the far end: the total stays the same and pages shift.
    service.rows = [...rows.filter((__, i) => i !== 50), { date: '2019-01-01', val: 5 }];
    service.etag = 'W/"2"';
    service.broken = false;
    if (after) service.version = after;
    expect(await sync()).toBe('complete');
    expect(await held()).toEqual(service.rows);
  });

  it('is remembered between two pages only where a day may lie between them', async () => {
    let later = 0;
    const service: Moving = {
      rows: daily(400).filter((_, i) => i !== 100),
      etag: 'W/"1"',
      hiccups: 0,
      get broken() {
        later += 1;
        return later > 2;
      },
    };
    const { sync, walk } = await world(service);
    expect(await sync()).toBe('failed');
    // Rows of the days before 2026-11-21: the first page ends with the 99th, the second one goes from the 101st to the 200th.
    expect(await walk()).toMatchObject({ next: '300', seams: [[['2026-08-14'], ['2026-08-12']]] });
  });
});
