import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { asJsonText } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { fillSandbox } from '../../src/sandbox/fill.ts';
import { chooseSource } from '../../src/source/choose-source.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, ownSandbox, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const NOW = '2026-11-21T05:46:13Z';
const DAY = 86_400_000;

/** The service: the sandbox behind the real server, one of its own where a test writes into it. */
async function upstreamOf(kind: 'shared' | 'own' = 'shared') {
  const upstream = testPlatform({ now: NOW });
  const sandbox = await (kind === 'shared' ? sandboxMirror : ownSandbox)(upstream.platform);
  const fill = () => fillSandbox({ mirror: sandbox, seed: 7, now: upstream.clock.now(), size: 'small' });
  return { sandbox, fill, clock: upstream.clock, service: await serviceOver(sandbox, upstream.platform) };
}

/** A service and a mirror of our own that knows nothing yet. */
async function world(upstream: 'shared' | 'own' | Awaited<ReturnType<typeof upstreamOf>> = 'shared') {
  const { sandbox, fill, clock, service } = typeof upstream === 'string' ? await upstreamOf(upstream) : upstream;
  const local = testPlatform({ now: NOW, seed: 2 });
  const mirror = await freshMirror(local.platform);
  const clientWith = (fetch: Fetch) =>
    createClient({ platform: { ...local.platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
  const sync = async (words: string, fetch: Fetch = service.fetch) => {
    service.seen.length = 0;
    const select = { endpoints: ENDPOINTS, now: local.clock.now(), indicatorsOf: async () => [] };
    const targets = await selectTargets(words.split(' '), select);
    return runSync({ client: clientWith(fetch), mirror, clock: local.clock, maxAge: 0, targets });
  };
  const offline = createMirrorSource({ mirror, labels: LABELS });
  const live = createLiveSource({ client: clientWith(service.fetch), mirror });
  const question = (id: string, path: Record<string, string>, query: Record<string, string> = {}) => {
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(`no endpoint ${id}`);
    return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'strict', now: local.clock.now() }).args };
  };
  const context = () => ({ caller: { kind: 'owner' } as const, now: local.clock.now() });
  const both = async (asked: ReturnType<typeof question>) => {
    const [held, told] = await Promise.all([offline.ask(asked, context()), live.ask(asked, context())]);
    return [JSON.parse(held.body), JSON.parse(told.body), held.notes] as const;
  };
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await local.clock.advance(ms);
  };
  const advance = async (ms: number) => {
    await pass(ms);
    await fill();
  };
  const choice = { mode: 'auto', live, mirror: { mirror, source: offline } } as const;
  const chosen = async (asked: ReturnType<typeof question>) =>
    (await chooseSource(choice, asked, context())) === live ? 'live' : 'mirror';
  return { sandbox, service, mirror, sync, question, both, pass, advance, offline, live, context, chosen };
}

async function texts(mirror: Mirror, endpoint: string): Promise<readonly string[]> {
  const all = await mirror.find({ endpoint, scope: {} });
  return (await Promise.all(all.map((series) => mirror.rows(series, {})))).flat().map(({ text }) => text);
}

/** So many further events in the archive of the dollar, more than a page takes. */
async function addEvents(sandbox: Mirror, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => {
    const id = `cae_more${String(i).padStart(4, '0')}`;
    const value = {
      archive_event_id: id,
      version: 1,
      captured_at: '2026-10-01T00:00:00Z',
      announcement_datetime: 1_796_000_000 + i,
    };
    return { text: asJsonText(JSON.stringify(value)), value };
  });
  await sandbox.commitPage({
    series: { origin: 'sandbox', endpoint: 'calendar_versions', scope: { currency: 'USD' } },
    nature: 'synthetic',
    access: 'key:sandbox',
    request: 'generated further events',
    question: 'sandbox further events',
    rows,
    extent: 'adds',
    at: Date.parse(NOW),
  });
}

/** So many publications that the sandbox does not have, one a day. */
async function addPress(sandbox: Mirror, from: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => {
    const date = new Date(Date.parse(from) + i * DAY).toISOString().slice(0, 10);
    const value = { title: 'Further', url: `https://sandbox.invalid/further/${date}`, date };
    return { text: asJsonText(JSON.stringify(value)), value };
  });
  await sandbox.commitPage({
    series: { origin: 'sandbox', endpoint: 'press_releases', scope: { currency: 'USD' } },
    nature: 'synthetic',
    access: 'key:sandbox',
    request: 'generated further publications',
    question: `sandbox further publications ${from}`,
    rows,
    extent: 'adds',
    at: Date.parse(NOW),
  });
}

/** Dies after so many answers. */
function dying(fetch: Fetch, survived: number): Fetch {
  let left = survived;
  return async (url, init) => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return fetch(url, init);
  };
}

describe('sync of press releases', () => {
  it('walks the list to its end, and answers from then on like the service', async () => {
    const { sandbox, sync, mirror, question, both, chosen } = await world();
    const report = await sync('press usd');
    expect(report.outcome).toBe('complete');
    const held = await texts(mirror, 'press_releases');
    const wanted = await sandbox.find({ endpoint: 'press_releases', scope: { currency: 'USD' } });
    expect(held).toEqual(
      (await Promise.all(wanted.map((one) => sandbox.rows(one, {})))).flat().map(({ text }) => text),
    );
    expect(report.requests).toBe(Math.ceil(held.length / 50));
    const asked = question('press_releases', { currency: 'usd' }, { limit: '7', offset: '21' });
    expect(await chosen(asked)).toBe('mirror');
    const [offline, live, notes] = await both(asked);
    expect([offline, notes]).toEqual([live, []]);
  });

  it('stops at the first page that brings nothing new, and walks on to the end once a week', async () => {
    const { sandbox, sync, pass } = await world('own');
    await addPress(sandbox, '2020-01-01', 150);
    const pages = (await sync('press usd')).requests;
    expect(pages).toBeGreaterThan(3);
    const again = await sync('press usd');
    expect([again.outcome, again.requests, again.rows.added]).toEqual(['complete', 1, 0]);
    await pass(5 * DAY);
    await addPress(sandbox, '2026-11-22', 3);
    const soon = await sync('press usd');
    expect([soon.outcome, soon.requests, soon.rows.added]).toEqual(['complete', 2, 3]);
    await pass(3 * DAY);
    const late = await sync('press usd');
    expect([late.outcome, late.requests]).toEqual(['complete', pages]);
  });

  it('continues after a death at any request', async () => {
    const whole = await world();
    const { requests } = await whole.sync('press usd');
    const expected = await texts(whole.mirror, 'press_releases');
    for (let survived = 0; survived < requests; survived += 1) {
      const { sync, mirror, service } = await world();
      expect((await sync('press usd', dying(service.fetch, survived))).outcome).toBe('failed');
      const { outcome, requests: rest } = await sync('press usd');
      expect([outcome, rest <= requests - survived + 1]).toEqual(['complete', true]);
      expect(await texts(mirror, 'press_releases')).toEqual(expected);
    }
  });

  it('is needed before the mirror answers for a page that nobody asked for', async () => {
    const { live, question, context, chosen, offline } = await world();
    await live.ask(question('press_releases', { currency: 'usd' }, { limit: '20' }), context());
    const next = question('press_releases', { currency: 'usd' }, { limit: '20', offset: '20' });
    expect(await chosen(next)).toBe('live');
    expect((await offline.ask(next, context())).partial).toBeDefined();
  });
});

describe('sync of the changes of risk sentiment', () => {
  it('continues from the last sequence', async () => {
    const { sandbox, sync, mirror, advance, service } = await world('own');
    const first = await sync('sentiment changes');
    expect(first.outcome).toBe('complete');
    expect(await texts(mirror, 'risk_sentiment_changes')).toEqual(await texts(sandbox, 'risk_sentiment_changes'));
    await advance(7 * DAY);
    const second = await sync('sentiment changes');
    expect(second.rows).toMatchObject({ revised: 0, vanished: 0, unchanged: 0 });
    expect([second.requests, second.rows.added >= 5]).toEqual([1, true]);
    expect(service.seen[0]).not.toContain('after_sequence=0');
    expect(await texts(mirror, 'risk_sentiment_changes')).toEqual(await texts(sandbox, 'risk_sentiment_changes'));
  });

  it('continues after a death at any request', async () => {
    const whole = await world();
    const { requests } = await whole.sync('sentiment changes');
    const expected = await texts(whole.mirror, 'risk_sentiment_changes');
    expect(requests).toBeGreaterThan(2);
    for (let survived = 0; survived < requests; survived += 1) {
      const { sync, mirror, service } = await world();
      await sync('sentiment changes', dying(service.fetch, survived));
      const { outcome, requests: rest } = await sync('sentiment changes');
      expect([outcome, rest]).toEqual(['complete', requests - survived]);
      expect(await texts(mirror, 'risk_sentiment_changes')).toEqual(expected);
    }
  });
});

describe('sync of the archive of a calendar', () => {
  it('keeps the versions of an event and the coverage', async () => {
    const { sync, question, both, chosen } = await world();
    const report = await sync('calendar versions eur cae_d16512a508, calendar coverage eur');
    expect(report.series.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['calendar versions eur cae_d16512a508', 'complete'],
      ['calendar coverage eur', 'complete'],
    ]);
    const coverage = question('calendar_coverage', { currency: 'eur' });
    const [held, live] = await both(coverage);
    expect(held).toEqual(live);
    const versions = question('calendar_versions', { currency: 'eur', archive_event_id: 'cae_d16512a508' });
    expect(await chosen(versions)).toBe('mirror');
    const [offline, told, notes] = await both(versions);
    expect([offline.data, notes]).toEqual([told.data, []]);
  });

  it('keeps a snapshot of the hour, by which earlier and later questions are answered as far as it goes', async () => {
    const { sync, question, both, chosen, offline, context } = await world();
    const report = await sync('calendar snapshot usd');
    expect([report.outcome, report.rows.added > 20]).toEqual(['complete', true]);
    const asked = question('calendar_snapshot', { currency: 'usd' }, { as_of: '2026-11-21T05:00:00Z', limit: '100' });
    expect(await chosen(asked)).toBe('mirror');
    const [held, live, notes] = await both(asked);
    expect([held.data, notes]).toEqual([live.data, []]);
    const high = question(
      'calendar_snapshot',
      { currency: 'usd' },
      { as_of: '2026-11-21T05:00:00Z', importance: 'high' },
    );
    const [filtered, told] = await both(high);
    expect(filtered.data).toEqual(told.data);
    const later = question('calendar_snapshot', { currency: 'usd' }, { as_of: '2026-11-21T05:30:00Z' });
    expect(await chosen(later)).toBe('live');
    const reply = await offline.ask(later, context());
    expect(JSON.parse(reply.body).data_quality).toMatchObject({ reason: 'held_versions_only' });
  });

  it('continues a snapshot after a death at any request, on the same checkpoint', async () => {
    const upstream = await upstreamOf('own');
    await addEvents(upstream.sandbox, 250);
    const whole = await world(upstream);
    const { requests } = await whole.sync('calendar snapshot usd');
    const expected = await texts(whole.mirror, 'calendar_snapshot');
    expect(requests).toBeGreaterThan(3);
    for (let survived = 0; survived < requests; survived += 1) {
      const { sync, mirror, service } = await world(upstream);
      await sync('calendar snapshot usd', dying(service.fetch, survived));
      const { outcome, requests: rest } = await sync('calendar snapshot usd');
      // The service counts no event that was added, so it calls its own archive partial.
      expect([outcome, rest]).toEqual(['incomplete', requests - survived]);
      expect(await texts(mirror, 'calendar_snapshot')).toEqual(expected);
    }
  });

  it('starts a snapshot again when its checkpoint has expired', async () => {
    const { sandbox, sync, service, pass, mirror } = await world('own');
    await addEvents(sandbox, 250);
    await sync('calendar snapshot usd', dying(service.fetch, 1));
    await pass(2 * DAY);
    const again = await sync('calendar snapshot usd');
    expect(again.outcome).toBe('incomplete');
    expect((await mirror.find({ endpoint: 'calendar_snapshot', scope: {} })).length).toBe(2);
  });
});

describe('sync of the latest of commodities', () => {
  it('keeps the document, and a held history that is newer speaks for its commodity', async () => {
    const { sync, question, both, advance, offline, context } = await world('own');
    await sync('commodities latest');
    const asked = question('commodities_latest', {});
    const [held, live] = await both(asked);
    expect(held).toEqual(live);
    await advance(3 * DAY);
    await sync('commodities gold');
    const { data } = JSON.parse((await offline.ask(asked, context())).body);
    const dates = Object.fromEntries(
      data.map(({ indicator, latest }: { indicator: string; latest: { date: string } }) => [indicator, latest.date]),
    );
    expect([dates.gold, dates.silver]).toEqual(['2026-11-23', '2026-11-20']);
  });
});
