import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { Caller } from '../../src/contract/hooks.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import { chooseSource } from '../../src/source/choose-source.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, ownSandbox, SERVICE_URL, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';
const OWNER: Caller = { kind: 'owner' };

/** A synthetic service, a mirror of one's own, and both as sources. */
async function world() {
  const upstream = testPlatform({ now: NOW });
  const sandbox = await ownSandbox(upstream.platform);
  const service = await serviceOver(sandbox, upstream.platform);
  const local = testPlatform({ now: NOW, seed: 2 });
  const mirror = await freshMirror(local.platform);
  const platform = { ...local.platform, fetch: service.fetch };
  const client = createClient({ platform, baseUrl: SERVICE_URL, key: 'k-test' });
  const now = local.clock.now();
  const sync = async (words: string) => {
    const targets = await selectTargets(words.split(' '), { endpoints: ENDPOINTS, now, indicatorsOf: async () => [] });
    return runSync({ client, mirror, clock: local.clock, targets, maxAge: 0 });
  };
  const live = createLiveSource({ client });
  const held = createMirrorSource({ mirror, labels: LABELS });
  const question = (id: string, path: Record<string, string>, query: Record<string, string> = {}) => {
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(`no endpoint ${id}`);
    return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'liberal', now }).args };
  };
  const body = async (source: typeof live, ...asked: Parameters<typeof question>) =>
    JSON.parse((await source.ask(question(...asked), { caller: OWNER, now })).body);
  const chosen = async (...asked: Parameters<typeof question>) => {
    const choice = { mode: 'auto', live, access: client.access, mirror: { mirror, source: held } } as const;
    const source = await chooseSource(choice, question(...asked), { caller: OWNER, now });
    return source === live ? 'live' : 'mirror';
  };
  return { mirror, sync, live, held, body, chosen, service };
}

describe('a sync of rates, factors, positions and prices', () => {
  it('brings every series and proves it, both breakdowns of positions and the fullest factors among them', async () => {
    const { sync } = await world();
    const report = await sync('curve usd, differential eur usd, prices usd, factor usd, cot eur');
    expect(report.series.map(({ name, outcome, problem }) => [name, outcome, problem])).toEqual([
      ['curve usd', 'complete', undefined],
      ['differential eur usd', 'complete', undefined],
      ['prices usd', 'complete', undefined],
      ['factor usd monetary_stance --include-components true --include-sources true', 'complete', undefined],
      ['cot eur', 'complete', undefined],
      ['cot eur --report tff_futures', 'complete', undefined],
    ]);
    const again = await sync('curve usd, differential eur usd, prices usd, factor usd, cot eur');
    expect([again.rows.added, again.rows.revised, again.outcome]).toEqual([0, 0, 'complete']);
  });

  it('lets the mirror answer as the service does', async () => {
    const { sync, live, held, body, chosen } = await world();
    await sync('curve usd, differential eur usd, prices usd, factor usd, cot eur');
    const questions: readonly [string, Record<string, string>, Record<string, string>][] = [
      ['curves', { currency: 'usd' }, {}],
      ['curves', { currency: 'usd' }, { view: 'slopes' }],
      ['curves', { currency: 'usd' }, { view: 'forwards' }],
      ['rate_differentials', { base: 'eur', quote: 'usd' }, { limit: '100' }],
      ['financial_prices', { currency: 'usd' }, {}],
      ['factors', { currency: 'usd', factor: 'monetary_stance' }, {}],
      [
        'factors',
        { currency: 'usd', factor: 'monetary_stance' },
        { start_date: '2026-10-01', include_components: 'true' },
      ],
      ['cot', { currency: 'eur' }, {}],
      ['cot', { currency: 'eur' }, { report: 'tff_futures' }],
    ];
    for (const asked of questions) {
      const [told, kept] = [await body(live, ...asked), await body(held, ...asked)];
      expect([asked, kept.data, kept.pagination]).toEqual([asked, told.data, told.pagination]);
      expect([asked, await chosen(...asked)]).toEqual([asked, 'mirror']);
    }
  });

  it('of the yields alone gives curves and differentials, but the service is still asked for what only it can know', async () => {
    const { sync, live, held, body, chosen } = await world();
    const legs = ['usd gov_bond_2y', 'usd gov_bond_5y', 'eur gov_bond_2y', 'eur gov_bond_5y'];
    await sync(legs.map((leg) => `announcements ${leg}`).join(', '));
    const pair = { base: 'eur', quote: 'usd' };
    const curve = await body(held, 'curves', { currency: 'usd' });
    expect(curve.data.map(({ maturity }: { maturity: string }) => maturity)).toEqual(['2Y', '5Y']);
    for (const query of [{ measure: 'gov_bond_2y' }, { rate_type: 'forward' }] as Record<string, string>[]) {
      const [told, kept] = [
        await body(live, 'rate_differentials', pair, query),
        await body(held, 'rate_differentials', pair, query),
      ];
      expect(kept.data).toEqual(told.data);
      expect(kept.data.length).toBeGreaterThan(10);
    }
    expect(await chosen('curves', { currency: 'usd' })).toBe('live');
    expect(await chosen('rate_differentials', pair)).toBe('live');
    const year = { start_date: '2026-01-01' };
    expect(await chosen('rate_differentials', pair, { ...year, measure: 'gov_bond_2y' })).toBe('mirror');
    expect(await chosen('rate_differentials', pair, { ...year, rate_type: 'forward' })).toBe('mirror');
  });

  it('adds the nodes of another day to those that are held', async () => {
    const { mirror, held, body, sync } = await world();
    await sync('curve inr');
    const [series] = await mirror.find({ endpoint: 'curves', scope: { currency: 'INR' } });
    if (!series) throw new Error('no curve');
    const before = await mirror.rows(series, {});
    const row = { date: '2026-11-20', maturity: '2Y', val: 9.5 };
    await mirror.commitPage({
      series,
      nature: 'synthetic',
      access: 'key:x',
      request: 'GET',
      question: 'another day',
      rows: [{ text: JSON.stringify(row) as never, value: row }],
      extent: 'adds',
      at: Date.parse('2026-11-21T00:00:00Z'),
    });
    expect((await mirror.rows(series, {})).length).toBe(before.length + 1);
    const node = async (date: string) =>
      (await body(held, 'curves', { currency: 'inr' }, { date })).data.find(
        ({ maturity }: { maturity: string }) => maturity === '2Y',
      );
    expect([(await node('2026-11-20')).val, (await node('2026-11-19')).date]).toEqual([9.5, '2026-11-19']);
  });
});
