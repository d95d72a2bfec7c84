import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { BEGINNING } from '../../src/contract/time/time.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { StoredSeries } from '../../src/mirror/api/series.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const WORDS =
  'fx eur usd, announcements usd inflation, calendar usd, catalogue usd, sentiment, commodities gold, announcements changes, fx sources';

const KILLED = 'fx eur usd, announcements usd inflation';

async function upstreamWorld() {
  const upstream = testPlatform({ now: '2026-11-20T15:00:00Z' });
  const sandbox = await sandboxMirror(upstream.platform);
  return { sandbox, service: await serviceOver(sandbox, upstream.platform) };
}

/** A mirror of its own beside a service, which many of them may share. */
async function world(shared?: Awaited<ReturnType<typeof upstreamWorld>>) {
  const { sandbox, service } = shared ?? (await upstreamWorld());
  const local = testPlatform({ now: '2026-11-20T15:00:00Z', seed: 2 });
  const mirror = await freshMirror(local.platform);
  const sync = async (words: string, options: { fetch?: Fetch; key?: string } = { key: 'k-test' }) => {
    const { platform } = local;
    const client = createClient({
      platform: { ...platform, fetch: options.fetch ?? service.fetch },
      baseUrl: SERVICE_URL,
      ...(options.key !== undefined && { key: options.key }),
    });
    const select = { endpoints: ENDPOINTS, now: local.clock.now(), indicatorsOf: async () => ['inflation'] };
    const targets = await selectTargets(words.split(' '), select);
    return runSync({ client, mirror, clock: local.clock, targets, maxAge: 0 });
  };
  return { sandbox, service, mirror, sync };
}

/** Rows of every series, in order, as texts. */
async function content(mirror: Mirror): Promise<Record<string, readonly string[]>> {
  const all: Record<string, readonly string[]> = {};
  for (const { id } of ENDPOINTS.filter((endpoint) => endpoint.mirror))
    for (const series of await mirror.find({ endpoint: id, scope: {} }))
      all[nameOf(series)] = (await mirror.rows(series, {})).map((row) => row.text);
  return all;
}

const nameOf = ({ endpoint, scope }: StoredSeries) => [endpoint, ...Object.values(scope)].join(' ');

describe('runSync', () => {
  it('reports what it took from the quota: refused and repeated requests too, and none that an edge cache answered', async () => {
    const { service, sync } = await world();
    const sent: string[] = [];
    const fetch: Fetch = async (url, init) => {
      sent.push(new URL(url).pathname);
      if (sent.length === 1) return new Response('{"detail":"busy"}', { status: 503 });
      if (sent.length === 2) throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
      const answer = await service.fetch(url, init);
      if (url.includes('/calendar/')) answer.headers.set('x-svc-edge-cache', 'HIT');
      return answer;
    };
    const words = 'fx sources, announcements usd nonsense, calendar usd';
    const { requests, series } = await sync(words, { fetch, key: 'k-test' });
    expect(sent).toEqual([
      ...['/v1/announcements/changes', '/v1/announcements/changes', '/v1/announcements/changes'],
      ...['/v1/fx/sources', '/v1/announcements/USD/nonsense', '/v1/calendar/USD'],
    ]);
    expect([requests, series.map((one) => [one.name, one.outcome, one.requests])]).toEqual([
      5,
      [
        ['fx sources', 'complete', 1],
        ['announcements usd nonsense', 'failed', 1],
        ['calendar usd', 'complete', 0],
        ['announcements changes', 'complete', 3],
      ],
    ]);
  });

  it('brings the whole of every series and proves it', async () => {
    const { sandbox, mirror, sync, service } = await world();
    const report = await sync(WORDS);
    expect(report.series.map(({ name, outcome, problem }) => [name, outcome, problem])).toEqual([
      ['fx eur usd', 'complete', undefined],
      ['announcements usd inflation', 'complete', undefined],
      ['calendar usd', 'complete', undefined],
      ['catalogue usd', 'complete', undefined],
      ['sentiment', 'complete', undefined],
      ['commodities gold', 'complete', undefined],
      ['announcements changes', 'complete', undefined],
      ['fx sources', 'complete', undefined],
      ['sentiment changes', 'complete', undefined],
    ]);
    expect(report.requests).toBe(service.seen.length);
    const held = await content(mirror);
    const original = await content(sandbox);
    for (const name of [
      'forex EUR USD',
      'announcements USD inflation',
      'risk_sentiment',
      'commodities gold',
      'fx_sources',
    ])
      expect([name, held[name]?.length]).toEqual([name, original[name]?.length]);
    const [series] = await mirror.find({ endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } });
    if (!series) throw new Error('no series');
    expect(series.origin).toBe(SERVICE_URL);
    const coveredRanges = await mirror.coveredRanges(series, 'keyless');
    expect(coveredRanges.some((covered) => covered.from <= BEGINNING && covered.to >= '2026-11-20')).toBe(true);
    expect((await mirror.stamp()).nature).toBe('synthetic');
  });

  it('asks for hardly more pages than the rows need', async () => {
    const { sandbox, sync } = await world();
    const [series] = await sandbox.find({ endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } });
    if (!series) throw new Error('no series');
    const rows = await sandbox.count(series, {});
    const report = await sync('fx eur usd');
    expect(report.requests).toBeLessThanOrEqual(Math.ceil(rows / 100) + 1);
    expect(report.rows).toEqual({ added: rows, revised: 0, vanished: 0, unchanged: 0 });
  });

  it('spends one request and changes nothing when nothing is new', async () => {
    const { sync, service, mirror } = await world();
    await sync('fx eur usd');
    const before = await content(mirror);
    await sync('fx eur usd');
    service.seen.length = 0;
    const again = await sync('fx eur usd');
    expect(service.seen.map((line) => line.slice(-3))).toEqual(['304']);
    expect([again.outcome, again.rows.added, again.rows.revised]).toEqual(['complete', 0, 0]);
    expect(await content(mirror)).toEqual(before);
  });

  it('continues after a death at any request and ends with the same rows', async () => {
    const upstream = await upstreamWorld();
    const whole = await world(upstream);
    const { requests } = await whole.sync(KILLED);
    const expected = await content(whole.mirror);
    for (let survived = 0; survived < requests; survived += 1) {
      const { sync, mirror, service } = await world(upstream);
      service.seen.length = 0;
      let left = survived;
      const dying: Fetch = async (url, init) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return service.fetch(url, init);
      };
      // Whatever ends a run, only what is committed remains.
      const first = await sync(KILLED, { fetch: dying, key: 'k-test' });
      // Series that were complete by then make it incomplete.
      expect(first.outcome).toMatch(/^(failed|incomplete)$/);
      const second = await sync(KILLED);
      expect(second.outcome).toBe('complete');
      expect(await content(mirror)).toEqual(expected);
      const pages = service.seen.filter((line) => line.endsWith(' 200')).length;
      // The feed is read again, and each head.
      expect([survived, pages - requests <= 3]).toEqual([survived, true]);
    }
  });

  it('keeps to what a caller without a key may see, and that proves nothing for one with a key', async () => {
    const { sync, mirror } = await world();
    const keyless = await sync('announcements usd inflation, fx eur usd', {});
    expect(keyless.series.map(({ outcome, problem }) => [outcome, problem?.kind])).toEqual([
      ['complete', undefined],
      ['failed', 'auth'],
      ['complete', undefined],
    ]);
    const [series] = await mirror.find({ endpoint: 'announcements', scope: {} });
    if (!series) throw new Error('no series');
    const dates = (await mirror.rows(series, {})).map((row) => String(row.key[0]));
    expect(dates.every((date) => date >= '2026-08-22')).toBe(true);
    expect(await mirror.coveredRanges(series, 'key:x')).toEqual([]);
    const keyed = await sync('announcements usd inflation');
    expect(keyed.rows.added).toBeGreaterThan(5);
  });

  it('goes on with the next series after one that does not exist, and stops where the service is gone', async () => {
    const { sync } = await world();
    const one = await sync('announcements usd nonsense, sentiment');
    expect(one.series.map(({ name, outcome, problem }) => [name, outcome, problem?.kind])).toEqual([
      ['announcements usd nonsense', 'failed', 'notFound'],
      ['sentiment', 'complete', undefined],
      ['announcements changes', 'complete', undefined],
      ['sentiment changes', 'complete', undefined],
    ]);
    const gone: Fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const two = await sync('sentiment, fx eur usd', { fetch: gone, key: 'k' });
    expect([two.outcome, two.kind, two.series.length, two.skipped]).toEqual(['failed', 'upstream', 1, 2]);
  });
});
