import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { JsonObject } from '../../src/contract/json/json.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { CALENDAR_CURRENCIES, COMMODITIES, PRESS_CURRENCIES } from '../../src/contract/words/words.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { collect, livePages } from '../../src/source/stored/collect-pages.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL, sandboxMirror, serviceOver, type TestService } from '../support/service.ts';

// The sandbox through the real server.

const NOW = '2026-11-21T05:46:13Z';
const KEY = { 'x-api-key': 'any' };

async function world(): Promise<{ service: TestService; local: TestPlatform }> {
  const local = testPlatform({ now: NOW });
  return { service: await serviceOver(await sandboxMirror(local.platform), local.platform), local };
}

let service: TestService;
let local: TestPlatform;

const get = async (path: string, headers: Record<string, string> = KEY) => {
  const answer = await service.fetch(SERVICE_URL + path, { headers });
  // The bodies of these routes are objects.
  return {
    status: answer.status,
    body: (await answer.json()) as JsonObject & { data: JsonObject[]; pagination: JsonObject },
  };
};

describe('the archive of a calendar', () => {
  it('is there for every currency of the set, and its coverage counts it', async () => {
    ({ service, local } = await world());
    for (const currency of CALENDAR_CURRENCIES) {
      const coverage = await get(`/v1/calendar/${currency}/coverage`);
      const snapshot = await get(`/v1/calendar/${currency}/snapshot?as_of=2026-11-21&limit=1`);
      expect([currency, coverage.status, snapshot.status]).toEqual([currency, 200, 200]);
      expect(snapshot.body.data_quality).toEqual({
        row_count: coverage.body.event_count,
        is_derived: false,
        quality_scope: 'scheduled_releases',
      });
    }
  });

  it('shows every event of a snapshot again by its versions', async () => {
    ({ service, local } = await world());
    const { body } = await get('/v1/calendar/eur/snapshot?as_of=2026-11-01T12:00:00Z&limit=10&importance=high');
    expect(body.data).toHaveLength(10);
    for (const row of body.data) {
      expect(row.event_importance).toBe('high');
      for (const id of [row.archive_event_id, row.calendar_event_id]) {
        const versions = await get(`/v1/calendar/eur/events/${String(id)}/versions`);
        expect(versions.body.archive_event_id).toBe(row.archive_event_id);
        const known = versions.body.data.filter(({ captured_at: at }) => String(at) <= '2026-11-01T12:00:00Z');
        expect(known.at(-1)).toEqual(row);
      }
    }
  });

  it('is walked by the client page by page in one state, and 24 hours long', async () => {
    ({ service, local } = await world());
    const endpoint = endpointById('calendar_snapshot');
    if (!endpoint) throw new Error('no endpoint');
    const raw = { path: { currency: 'USD' }, query: { as_of: '2026-11-20', limit: '9' } };
    const { args } = readParams(endpoint, raw, { mode: 'strict', now: Date.parse(NOW) });
    const client = createClient({
      platform: { ...local.platform, fetch: service.fetch },
      baseUrl: SERVICE_URL,
      key: 'k',
    });
    const seen: unknown[] = [];
    const checkpoints = new Set<unknown>();
    for await (const page of client.pages({ endpoint, args })) {
      seen.push(...page.cut.rows.map(({ value }) => value.archive_event_id));
      checkpoints.add(page.cut.envelope.checkpoint);
      await local.clock.advance(60_000);
    }
    const whole = await get('/v1/calendar/usd/snapshot?as_of=2026-11-20&limit=100');
    expect(seen.slice(0, 100)).toEqual(whole.body.data.map(({ archive_event_id: id }) => id));
    expect([new Set(seen).size, checkpoints.size]).toEqual([seen.length, 1]);
    const first = await get('/v1/calendar/usd/snapshot?as_of=2026-11-20&limit=2');
    const next = new URLSearchParams({
      as_of: '2026-11-20',
      checkpoint: String(first.body.checkpoint),
      cursor: String(first.body.pagination.next_cursor),
    });
    expect((await get(`/v1/calendar/usd/snapshot?${next}`)).status).toBe(200);
    await local.clock.advance(86_401_000);
    const late = await get(`/v1/calendar/usd/snapshot?${next}`);
    expect([late.status, late.body.code]).toEqual([409, 'checkpoint_expired']);
  });

  it('hands out no checkpoint by 304 that is nearly over', async () => {
    ({ service, local } = await world());
    const url = `${SERVICE_URL}/v1/calendar/usd/snapshot?as_of=2026-11-20&limit=2`;
    const first = await service.fetch(url, { headers: KEY });
    const again = () => service.fetch(url, { headers: { ...KEY, 'if-none-match': first.headers.get('etag') ?? '' } });
    await local.clock.advance(60_000);
    expect((await again()).status).toBe(304);
    await local.clock.advance(3_600_000);
    expect((await again()).status).toBe(200);
  });

  it.each([
    ['/v1/calendar/usd/snapshot', 422, [['query', 'as_of']]],
    ['/v1/calendar/usd/snapshot?as_of=2026-11-22', 422, [['query', 'as_of']]],
    [
      '/v1/calendar/usd/snapshot?as_of=soon&importance=huge',
      422,
      [
        ['query', 'as_of'],
        ['query', 'importance'],
      ],
    ],
    ['/v1/calendar/usd/snapshot?as_of=2026-11-01&event_kind=release,party', 422, [['query', 'event_kind']]],
    [
      '/v1/calendar/usd/snapshot?as_of=2026-11-01&start_date=2026-11-09&end_date=2026-11-01',
      422,
      [['query', 'start_date']],
    ],
    ['/v1/calendar/xyz/coverage', 422, [['path', 'currency']]],
    ['/v1/calendar/usd/events/cae_e6413fcdf7/versions?limit=101', 422, [['query', 'limit']]],
  ])('refuses %s', async (path, status, places) => {
    ({ service, local } = await world());
    const { status: told, body } = await get(path);
    const findings = body.detail as unknown as { loc: unknown }[];
    expect([told, findings.map(({ loc }) => loc)]).toEqual([status, places]);
  });

  it.each([
    ['/v1/calendar/usd/events/cae_nothing/versions', 404, 'unknown_resource'],
    ['/v1/calendar/usd/events/cae_e6413fcdf7/versions?cursor=cc1.MQ', 400, 'invalid_cursor'],
    ['/v1/calendar/usd/snapshot?as_of=2026-11-01&checkpoint=cp1.8f2c', 400, 'invalid_cursor'],
  ])('answers %s with %s', async (path, status, code) => {
    ({ service, local } = await world());
    const answer = await get(path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('is empty before it began', async () => {
    ({ service, local } = await world());
    const { status, body } = await get('/v1/calendar/usd/snapshot?as_of=2020-01-01');
    expect([status, body.data, body.data_quality]).toEqual([
      200,
      [],
      expect.objectContaining({ reason: 'before_archive_start' }),
    ]);
  });

  it('needs a key, for dollars too', async () => {
    ({ service, local } = await world());
    for (const path of ['coverage', 'snapshot?as_of=2026-11-01', 'events/cae_e6413fcdf7/versions']) {
      const { status, body } = await get(`/v1/calendar/usd/${path}`, {});
      expect([path, status, body.code]).toEqual([path, 401, 'api_key_required']);
    }
  });
});

describe('a walk by positions, collected into one answer', () => {
  const collected = async (id: string, raw: RawArgs, wanted: number | 'all') => {
    ({ service, local } = await world());
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error('no endpoint');
    const { args } = readParams(endpoint, raw, { mode: 'strict', now: Date.parse(NOW) });
    const client = createClient({
      platform: { ...local.platform, fetch: service.fetch },
      baseUrl: SERVICE_URL,
      key: 'k',
    });
    const question = { endpoint, args };
    const pages = livePages({ client }, question, { caller: { kind: 'owner' }, now: Date.parse(NOW) });
    const { pagination, data } = JSON.parse((await collect(pages, question, wanted)).body);
    expect(data).toHaveLength(pagination.returned_count);
    return { pagination, count: data.length };
  };
  const changes = { path: {}, query: { limit: '50' } };
  const snapshot = { path: { currency: 'usd' }, query: { as_of: '2026-11-20', limit: '9' } };

  it('says that nothing follows, and names no position that leads back', async () => {
    const { pagination, count } = await collected('calendar_snapshot', snapshot, 'all');
    expect(pagination).toEqual({ limit: count, returned_count: count, has_more: false });
    const walked = await collected('risk_sentiment_changes', changes, 'all');
    expect([walked.pagination.has_more, walked.pagination.after_sequence]).toEqual([false, 0]);
    expect(walked.pagination.next_after_sequence).toBeGreaterThan(20_000);
  });

  it('names the position behind its last row, and none where it was cut inside of a page', async () => {
    const whole = await collected('calendar_snapshot', snapshot, 18);
    expect(whole.pagination).toEqual({
      limit: 18,
      returned_count: 18,
      has_more: true,
      next_cursor: expect.any(String),
    });
    const cut = await collected('calendar_snapshot', snapshot, 20);
    expect(cut.pagination).toEqual({ limit: 20, returned_count: 20, has_more: true });
  });
});

describe('press releases', () => {
  it('are there for every currency of the set, newest first, in pages', async () => {
    ({ service, local } = await world());
    for (const currency of PRESS_CURRENCIES) {
      const { status, body } = await get(`/v1/press-releases/${currency}?limit=5&offset=5`);
      expect([currency, status, body.count, body.limit, body.offset]).toEqual([currency, 200, 5, 5, 5]);
      const dates = body.data.map(({ date }) => String(date));
      expect(dates).toEqual([...dates].sort().reverse());
      expect(body.pagination).toMatchObject({ offset: 5, returned_count: 5, has_more: true, next_offset: 10 });
    }
  });

  it('are public for dollars, without delay or window', async () => {
    ({ service, local } = await world());
    const usd = await get('/v1/press-releases/usd?limit=50', {});
    expect(usd.status).toBe(200);
    expect(['freemium_window', 'freemium_delay'].filter((name) => name in usd.body)).toEqual([]);
    expect((await get('/v1/press-releases/eur', {})).status).toBe(401);
  });

  it.each([
    ['/v1/press-releases/xyz', 404],
    ['/v1/press-releases/krw', 404],
    ['/v1/press-releases/usd?limit=51', 422],
    ['/v1/press-releases/usd?limit=0', 422],
    ['/v1/press-releases/usd?offset=-1', 422],
    ['/v1/press-releases/usd?offset=100000', 200],
  ])('answer %s with %s', async (path, status) => {
    ({ service, local } = await world());
    expect((await get(path)).status).toBe(status);
  });

  it('of a currency outside of the set are served where the mirror holds them', async () => {
    const { platform, clock } = testPlatform({ now: NOW });
    const mirror = await freshMirror(platform);
    const row = { title: 'Statement', url: 'https://cb.example/1', date: '2026-11-20' };
    await mirror.commitPage({
      series: { origin: 'https://svc.example', endpoint: 'press_releases', scope: { currency: 'KRW' } },
      nature: 'real',
      access: 'key:a',
      request: 'GET /v1/press-releases/krw',
      question: 'press_releases?currency=KRW',
      rows: [{ text: JSON.stringify(row) as never, value: row }],
      extent: 'adds',
      at: clock.now(),
    });
    service = await serviceOver(mirror, platform);
    expect((await get('/v1/press-releases/krw')).body.data).toEqual([row]);
    expect((await get('/v1/press-releases/huf')).status).toBe(404);
  });
});

describe('the changes of risk sentiment', () => {
  it('are walked by sequence without a key', async () => {
    ({ service, local } = await world());
    const first = await get('/v1/risk_sentiment/changes?limit=3', {});
    const [, second, third] = first.body.data;
    expect(first.body.pagination).toEqual({
      limit: 3,
      after_sequence: 0,
      returned_count: 3,
      has_more: true,
      next_after_sequence: third?.change_sequence,
    });
    const after = await get(`/v1/risk_sentiment/changes?limit=1&after_sequence=${String(second?.change_sequence)}`, {});
    expect(after.body.data).toEqual([third]);
  });

  it('end where they began when there are none', async () => {
    ({ service, local } = await world());
    const { body } = await get('/v1/risk_sentiment/changes?after_sequence=999999999', {});
    expect(body).toMatchObject({
      data: [],
      pagination: { returned_count: 0, has_more: false, next_after_sequence: 999_999_999 },
    });
    expect((await get('/v1/risk_sentiment/changes?after_sequence=-1', {})).status).toBe(422);
    expect((await get('/v1/risk_sentiment/changes?limit=101', {})).status).toBe(422);
  });
});

describe('the latest of commodities', () => {
  it('shows the newest row of every commodity, and the change to the one before', async () => {
    ({ service, local } = await world());
    const { body } = await get('/v1/commodities/latest');
    expect([body.currency, body.count, body.as_of]).toEqual(['USD', COMMODITIES.length, '2026-11-20']);
    expect(body.data.map(({ indicator }) => indicator)).toEqual(COMMODITIES);
    for (const entry of body.data) {
      const history = await get(`/v1/commodities/${String(entry.indicator)}?limit=2`);
      const [latest, previous] = history.body.data;
      expect(entry).toMatchObject({
        unit: history.body.unit,
        latest: { date: latest?.date, val: latest?.val },
        previous: { date: previous?.date, val: previous?.val },
        pct_diff_prev: latest?.pct_change,
      });
    }
    expect((await get('/v1/commodities/latest', {})).status).toBe(401);
  });
});
