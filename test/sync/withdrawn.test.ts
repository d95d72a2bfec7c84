import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { collect, livePages } from '../../src/source/stored/collect-pages.ts';
import { SERVICE_URL } from '../support/service.ts';
import { DAY, syncWorld, valuesOf } from './world.ts';

const SERIES = { endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' } };

/** The service takes back all rows of some dates. */
async function withdraw(upstream: Mirror, at: number, window: { readonly from: string; readonly to: string }) {
  const common = { nature: 'synthetic', access: 'key:none', request: 'withdrawn', question: 'withdrawn', at } as const;
  const report = await upstream.commitPage({
    ...common,
    series: { origin: 'sandbox', ...SERIES },
    rows: [],
    extent: 'replaces',
    window,
  });
  return report.vanished;
}

async function world() {
  const made = await syncWorld();
  await made.sync('announcements usd inflation');
  const newest = await made.mirror.find(SERIES);
  const rows = newest[0] ? await made.mirror.rows(newest[0], {}) : [];
  const dates = rows.map(({ key }) => String(key[0]));
  const equal = async () => [
    (await valuesOf(made.mirror, 'announcements')).get('USD inflation'),
    (await valuesOf(made.upstream, 'announcements')).get('USD inflation'),
  ];
  return { ...made, dates, equal };
}

function asked(
  platform: Parameters<typeof createClient>[0]['platform'],
  mirror: Mirror,
  query: Record<string, string>,
) {
  const endpoint = endpointById('announcements');
  if (!endpoint) throw new Error('no endpoint announcements');
  const client = createClient({ platform, baseUrl: SERVICE_URL, key: 'k-test' });
  const raw = { path: SERIES.scope, query };
  const { args } = readParams(endpoint, raw, { mode: 'strict', now: platform.clock.now() });
  return { client, mirror, question: { endpoint, args } };
}

describe('rows that the service takes back', () => {
  it('are taken back where the newest ones are gone and the tail of the window is empty', async () => {
    const { clock, upstream, sync, dates, equal } = await world();
    expect(await withdraw(upstream, clock.now(), { from: dates[11] ?? '', to: dates[0] ?? '' })).toBe(12);
    await clock.advance(DAY);
    await sync('announcements usd inflation', { check: true, maxAge: 0 });
    const [stored, there] = await equal();
    expect(stored).toEqual(there);
  });

  it.each([
    ['the newest', 0, 3],
    ['the oldest', -4, -1],
    ['those between two pages', 10, 13],
  ])('are taken back by a walk over everything: %s', async (_, a, b) => {
    const { at, clock, service, mirror, upstream, dates, equal } = await world();
    const [from = '', to = ''] = [dates.at(b), dates.at(a)];
    expect(await withdraw(upstream, clock.now(), { from, to })).toBe(4);
    await clock.advance(DAY);
    const platform = { ...at.platform, fetch: service.fetch };
    const { client, question } = asked(platform, mirror, { start_date: '1900-01-01', limit: '10' });
    const context = { caller: { kind: 'owner' }, now: clock.now() } as const;
    await collect(livePages({ client, mirror }, question, context), question, 'all');
    const [stored, there] = await equal();
    expect(stored).toEqual(there);
  });

  it('are taken back by a live answer about a window that has no row any more', async () => {
    const { at, clock, service, mirror, upstream, dates, equal } = await world();
    const window = { from: dates[12] ?? '', to: dates[8] ?? '' };
    await withdraw(upstream, clock.now(), window);
    const platform = { ...at.platform, fetch: service.fetch };
    const { client, question } = asked(platform, mirror, { start_date: window.from, end_date: window.to });
    const context = { caller: { kind: 'owner' }, now: clock.now() } as const;
    const { body } = await createLiveSource({ client, mirror }).ask(question, context);
    expect(body).toContain('"requested_window_has_data":false');
    const [stored, there] = await equal();
    expect(stored).toEqual(there);
  });
});
