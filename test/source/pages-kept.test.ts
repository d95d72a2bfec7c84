import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Question } from '../../src/source/source.ts';
import { collect, livePages, sourcePages } from '../../src/source/stored/collect-pages.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { OWNER, question } from './world.ts';

const SERIES: readonly (readonly [string, Record<string, string>, Record<string, string>])[] = [
  ['announcements', { currency: 'USD', indicator: 'inflation' }, {}],
  ['announcements', { currency: 'USD', indicator: 'inflation' }, { start_date: '2024-01-01', end_date: '2026-06-30' }],
  ['forex', { base: 'EUR', quote: 'USD' }, {}],
  ['fx_reference_rates', { base: 'EUR', quote: 'USD' }, {}],
  ['press_releases', { currency: 'USD' }, {}],
  ['risk_sentiment', {}, {}],
];

async function parts() {
  const { platform, clock } = testPlatform();
  const { fetch } = await serviceOver(await sandboxMirror(platform), platform);
  const mirror = await freshMirror(platform, 'kept.db');
  const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
  const live = createLiveSource({ client, mirror });
  const offline = createMirrorSource({ mirror, labels: LABELS });
  const context = { caller: OWNER, now: clock.now() };
  const dated = (asked: Question) => ({ ...asked, args: { ...asked.args } });
  const rowsOf = (body: string): readonly Record<string, unknown>[] => JSON.parse(body).data;
  const names = (body: string) => rowsOf(body).map(({ date, url, source }) => JSON.stringify([date, url, source]));
  const page = (asked: Question, limit: number, offset: number) =>
    dated({ ...asked, args: { ...asked.args, limit, offset } });
  return {
    mirror,
    pagesOf: (asked: Question) => livePages({ client, mirror }, asked, context),
    collected: async (asked: Question, wanted: number | 'all') =>
      names((await collect(sourcePages(offline, asked, context), asked, wanted)).body),
    live: async (asked: Question, limit: number, offset: number) =>
      names((await live.ask(page(asked, limit, offset), context)).body),
    offline: async (asked: Question, limit: number, offset: number) => {
      const { body } = await offline.ask(page(asked, limit, offset), context);
      return { names: names(body), pagination: JSON.parse(body).pagination };
    },
  };
}

describe.each(SERIES)('pages of %s %o %o', (id, path, query) => {
  const asked = question(id, path, query);

  it('that were asked from an offset are the same again, and parts of them stand where they stood', async () => {
    const { live, offline } = await parts();
    const seen = await live(asked, 7, 3);
    expect(seen.length).toBe(7);
    expect((await offline(asked, 7, 3)).names).toEqual(seen);
    expect((await offline(asked, 2, 5)).names).toEqual(seen.slice(2, 4));
    // Three rows before them are known to exist, and two of this page are among those.
    const { names, pagination } = await offline(asked, 6, 1);
    expect([names, pagination.offset, pagination.returned_count, pagination.total_count]).toEqual([
      seen.slice(0, 4),
      1,
      4,
      10,
    ]);
  });

  it('with a hole between them are found behind it', async () => {
    const { live, offline } = await parts();
    const first = await live(asked, 4, 0);
    const second = await live(asked, 4, 9);
    expect((await offline(asked, 4, 0)).names).toEqual(first);
    expect((await offline(asked, 4, 9)).names).toEqual(second);
    expect((await offline(asked, 13, 0)).names).toEqual([...first, ...second]);
  });

  it('read to the end by next_offset give every held row once', async () => {
    const { live, collected } = await parts();
    const rows = [...(await live(asked, 4, 1)), ...(await live(asked, 4, 8))];
    expect(await collected({ ...asked, args: { ...asked.args, limit: 3, offset: 0 } }, 'all')).toEqual(rows);
  });
});

describe('a page from an offset', () => {
  it.each([
    ['forex', { base: 'EUR', quote: 'USD' }],
    ['announcements', { currency: 'USD', indicator: 'gov_bond_2y' }],
    ['risk_sentiment', {}],
  ] as const)('of %s %o adds nothing to the count of a window that ends before it', async (id, path) => {
    const { live, offline } = await parts();
    const asked = question(id, path);
    const [newest = '[]', second = '[]'] = await live(asked, 1, 0).then(async (first) => [
      ...first,
      ...(await live(asked, 1, 1)),
    ]);
    await live(asked, 4, 9);
    const from = (name: string) => question(id, path, { start_date: JSON.parse(name)[0] });
    const ofOne = await offline(from(newest), 20, 0);
    expect([ofOne.names, ofOne.pagination.total_count, ofOne.pagination.has_more]).toEqual([[newest], 1, false]);
    const ofTwo = await offline(from(second), 1, 0);
    expect([ofTwo.names, ofTwo.pagination.total_count, ofTwo.pagination.has_more]).toEqual([[newest], 2, true]);
  });
});

describe('a walk from an offset', () => {
  it('covers what lies between its pages', async () => {
    const { mirror, pagesOf } = await parts();
    const asked = question('forex', { base: 'EUR', quote: 'USD' });
    const walk = { ...asked, args: { ...asked.args, limit: 5, offset: 2 } };
    const dates: string[] = [];
    for await (const { rows } of pagesOf(walk)) {
      dates.push(...rows.map((row) => String(JSON.parse(row).date)));
      if (dates.length >= 15) break;
    }
    const [series] = await mirror.find({ endpoint: 'forex', scope: {} });
    const coveredRanges = series ? await mirror.coveredRanges(series, 'keyless') : [];
    expect(coveredRanges.map(({ from, to, skipped }) => ({ from, to, skipped }))).toEqual([
      { from: dates.at(-1), to: dates[0], skipped: { rows: 2, front: '2026-11-21', beside: 0 } },
    ]);
  });
});

describe('pages of a feed that has lost events', () => {
  it('cover only what the service still had, however many follow the first', async () => {
    const at = await parts();
    const since = '2026-11-01T00:00:00Z';
    const asked = question('announcements_changes', {}, { since, limit: '50' });
    const told: Record<string, unknown>[] = [];
    for await (const { envelope } of at.pagesOf(asked)) told.push(envelope);
    const [first, ...rest] = told;
    expect([first?.gap, rest.length > 0, rest.some(({ gap }) => gap === true)]).toEqual([true, true, false]);
    const oldest = Date.parse(String(first?.oldest_available)) / 1000;
    const [feed] = await at.mirror.find({ endpoint: 'announcements_changes', scope: {} });
    const covered = feed ? await at.mirror.coveredRanges(feed, 'keyed') : [];
    expect(Math.min(...covered.map(({ from }) => Number(from)))).toBe(oldest);
  });
});
