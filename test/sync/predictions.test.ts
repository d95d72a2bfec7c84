import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { Caller } from '../../src/contract/hooks.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { chooseSource } from '../../src/source/choose-source.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const OWNER: Caller = { kind: 'owner' };

async function world() {
  const upstream = testPlatform();
  const service = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const local = testPlatform({ seed: 2 });
  const mirror = await freshMirror(local.platform);
  const now = local.clock.now();
  const clientOver = (fetch: Fetch) =>
    createClient({ platform: { ...local.platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
  const client = clientOver(service.fetch);
  const select = (words: string) =>
    selectTargets(words.split(' '), { endpoints: ENDPOINTS, now, indicatorsOf: async () => ['inflation'] });
  const sync = async (words: string, fetch: Fetch = service.fetch) =>
    runSync({ client: clientOver(fetch), mirror, clock: local.clock, maxAge: 0, targets: await select(words) });
  const live = createLiveSource({ client });
  const held = createMirrorSource({ mirror, labels: LABELS });
  const question = (id: string, path: Record<string, string>, query: Record<string, string> = {}) => {
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(`no endpoint ${id}`);
    return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'liberal', now }).args };
  };
  const both = async (...asked: Parameters<typeof question>) => {
    const answers = [live, held].map((source) => source.ask(question(...asked), { caller: OWNER, now }));
    return (await Promise.all(answers)).map(({ body }) => JSON.parse(body));
  };
  const chosen = async (...asked: Parameters<typeof question>) => {
    const choice = { mode: 'auto', live, access: client.access, mirror: { mirror, source: held } } as const;
    const source = await chooseSource(choice, question(...asked), { caller: OWNER, now });
    return source === live ? 'live' : 'mirror';
  };
  return { service, mirror, sync, select, both, chosen, held, question, now };
}

const USD = { currency: 'usd' };
const INFLATION = { currency: 'usd', indicator: 'inflation' };
const BANK = { prediction_source: 'sandbox_bank' };

describe('a sync of predictions', () => {
  it('brings both series of an indicator, the vintages of a source and coverage', async () => {
    const { sync } = await world();
    const words =
      'predictions usd inflation, predictions usd prediction_source=sandbox_bank, predictions coverage, predictions coverage usd';
    const report = await sync(words);
    expect(report.series.map(({ name, outcome, problem }) => [name, outcome, problem])).toEqual([
      ['predictions usd inflation', 'complete', undefined],
      ['predictions usd inflation --pre-release-only false', 'complete', undefined],
      ['predictions usd --prediction-source sandbox_bank', 'complete', undefined],
      ['predictions coverage', 'complete', undefined],
      ['predictions coverage usd', 'complete', undefined],
    ]);
  });

  it('lets the mirror answer as the service does, releases ahead included', async () => {
    const { sync, both, chosen } = await world();
    await sync('predictions usd inflation, predictions usd prediction_source=sandbox_bank, predictions coverage usd');
    const questions: readonly Parameters<typeof both>[] = [
      ['predictions', INFLATION],
      ['predictions', INFLATION, { pre_release_only: 'false', prediction_class: 'model_nowcast' }],
      ['predictions', INFLATION, { as_of: '2026-06-15', official_limit: '5' }],
      ['prediction_vintages', USD, BANK],
      ['prediction_vintages', USD, { ...BANK, variable: 'cpi', limit: '3' }],
      ['predictions_coverage_currency', USD],
    ];
    for (const asked of questions) {
      const [fromService, fromMirror] = await both(...asked);
      expect(fromMirror).toEqual(fromService);
    }
    expect(await chosen('predictions', INFLATION)).toBe('mirror');
    expect(await chosen('prediction_vintages', USD, BANK)).toBe('mirror');
    expect(await chosen('prediction_vintages', USD, { prediction_source: 'sandbox_survey' })).toBe('live');
  });

  it('spends little when nothing is new', async () => {
    const { sync, service } = await world();
    const words = 'predictions usd inflation, predictions usd prediction_source=sandbox_bank';
    await sync(words);
    service.seen.length = 0;
    const again = await sync(words);
    expect(again.rows).toMatchObject({ added: 0, revised: 0, vanished: 0 });
    expect(service.seen.length).toBeLessThanOrEqual(4);
  });

  it('of vintages continues after a death at any page and ends with the same rows', async () => {
    const small =
      (service: { fetch: Fetch }): Fetch =>
      (url, init) =>
        service.fetch(url.replace('limit=1000', 'limit=10'), init);
    const whole = await world();
    const words = 'predictions usd prediction_source=sandbox_bank';
    const { requests } = await whole.sync(words, small(whole.service));
    const rows = async (one: Awaited<ReturnType<typeof world>>) => {
      const [series] = await one.mirror.find({ endpoint: 'prediction_vintages', scope: {} });
      return series ? (await one.mirror.rows(series, {})).map((row) => row.text) : [];
    };
    const expected = await rows(whole);
    expect(requests).toBe(Math.ceil(expected.length / 10));
    for (let survived = 0; survived < requests; survived += 1) {
      const one = await world();
      let left = survived;
      const dying: Fetch = async (url, init) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return small(one.service)(url, init);
      };
      expect((await one.sync(words, dying)).outcome).toBe('failed');
      expect((await one.sync(words, small(one.service))).outcome).toBe('complete');
      expect(await rows(one)).toEqual(expected);
    }
  });
});

describe('what a selection may name', () => {
  it('a source of vintages has to be named, and only what tells series apart may be', async () => {
    const { select } = await world();
    await expect(select('predictions usd')).rejects.toMatchObject({
      kind: 'usage',
      hint: 'Its words are: predictions usd prediction_source=...',
    });
    await expect(select('predictions usd inflation official_limit=3')).rejects.toMatchObject({
      kind: 'usage',
      message: 'official_limit does not tell one series of predictions from another.',
    });
    expect((await select('announcements usd gdp frequency=qoq')).map(({ args }) => args.frequency)).toEqual(['qoq']);
  });
});

describe('the panel over synced histories', () => {
  const QUERY = {
    series: 'usd:inflation,usd:gdp',
    decision_times: '2026-09-01,2026-03-01T12:00:00Z',
    start_date: '2025-01-01',
    end_date: '2027-01-01',
  };

  it('is what the service posts, and the mirror answers once the histories are proven', async () => {
    const { sync, both, chosen, service, held, question, now } = await world();
    expect(await chosen('research_panel', {}, QUERY)).toBe('live');
    await sync('announcements usd inflation');
    expect(await chosen('research_panel', {}, QUERY)).toBe('live');
    await sync('announcements usd gdp');
    expect(await chosen('research_panel', {}, QUERY)).toBe('mirror');
    const [{ dataset_version: _, ...fromService }, { dataset_version: __, ...fromMirror }] = await both(
      'research_panel',
      {},
      QUERY,
    );
    expect(fromMirror).toEqual(fromService);
    expect(service.seen.at(-1)).toBe('POST /v1/research/panel 200');
    expect((await held.ask(question('research_panel', {}, QUERY), { caller: OWNER, now })).notes).toEqual([]);
  });
});
