import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS, endpointById, MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL, sandboxPath, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';

/** The data set is made once; every test asks it through a server of its own. */
const upstream = testPlatform({ now: NOW, folder: freshFolder() });
let sandbox: Mirror;

beforeAll(async () => {
  const { platform, folder } = upstream;
  copyFileSync(await sandboxPath(platform), join(folder, 'sandbox.db'));
  sandbox = await openMirror({ path: join(folder, 'sandbox.db'), mappings: MAPPINGS, platform, mode: 'write' });
});
afterAll(() => sandbox.close());

async function world() {
  const service = await serviceOver(sandbox, upstream.platform);
  const local = testPlatform({ now: NOW, seed: 2 });
  const mirror = await freshMirror(local.platform);
  const sync = async (words: string, key: string | undefined = 'k-test') => {
    const client = createClient({
      platform: { ...local.platform, fetch: service.fetch },
      baseUrl: SERVICE_URL,
      ...(key && { key }),
    });
    const select = { endpoints: ENDPOINTS, now: local.clock.now(), indicatorsOf: async () => [] };
    return runSync({
      client,
      mirror,
      clock: local.clock,
      maxAge: 0,
      targets: await selectTargets(words.split(' '), select),
    });
  };
  /** The same question to the service and to the mirror that was synced from it. */
  const both = async (id: string, path: Record<string, string>, query: Record<string, string> = {}) => {
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(`no endpoint ${id}`);
    const { args } = readParams(endpoint, { path, query }, { mode: 'strict', now: Date.parse(NOW) });
    const context = { caller: { kind: 'keyed', plan: 'individual' }, now: Date.parse(NOW) } as const;
    const ask = async (held: Mirror) =>
      JSON.parse((await createMirrorSource({ mirror: held, labels: LABELS }).ask({ endpoint, args }, context)).body);
    const [there, here] = [await ask(sandbox), await ask(mirror)];
    return [there, here].map(({ dataset_version: _, ...body }) => body);
  };
  return { sync, both, mirror };
}

describe('a sync of rates', () => {
  it('brings reference rates, native and derived, and answers like the service ever after', async () => {
    const { sync, both } = await world();
    const report = await sync('fx reference eur usd, fx reference gbp jpy, fx reference usd jpy');
    expect(report.series.map(({ name, outcome, problem }) => [name, outcome, problem])).toEqual([
      ['fx reference eur usd', 'complete', undefined],
      ['fx reference gbp jpy', 'complete', undefined],
      ['fx reference usd jpy', 'complete', undefined],
    ]);
    for (const [base, quote] of [
      ['EUR', 'USD'],
      ['GBP', 'JPY'],
      ['USD', 'JPY'],
    ] as const) {
      for (const query of [
        {},
        { order: 'date_desc', limit: '7', offset: '3' },
        { native_only: 'true' },
        { source: 'sandbox_eur_daily' },
      ]) {
        const [there, here] = await both('fx_reference_rates', { base, quote }, query);
        expect(here).toEqual(there);
      }
    }
  });

  it('asks for hardly more pages than the rows need, and for one when nothing is new', async () => {
    const { sync } = await world();
    const first = await sync('fx reference usd jpy');
    expect(first.requests).toBeLessThanOrEqual(Math.ceil(first.rows.added / 100) + 1);
    await sync('fx reference usd jpy');
    const again = await sync('fx reference usd jpy');
    expect([again.requests, again.rows.added, again.rows.vanished]).toEqual([1, 0, 0]);
  });

  it('brings all four sessions of a pair', async () => {
    const { sync, both } = await world();
    const report = await sync('fx session eur/usd');
    expect(report.series.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['fx session eur usd --session sydney', 'complete'],
      ['fx session eur usd --session tokyo', 'complete'],
      ['fx session eur usd --session london', 'complete'],
      ['fx session eur usd --session new_york', 'complete'],
    ]);
    for (const session of ['sydney', 'tokyo', 'london', 'new_york']) {
      const [there, here] = await both('fx_session_rates', { base: 'EUR', quote: 'USD' }, { session });
      expect(here).toEqual(there);
      expect(here.data.length).toBeGreaterThan(30);
    }
  });

  it('brings intraday rates by months, and the universe', async () => {
    const { sync, both } = await world();
    const report = await sync('fx intraday eur usd, fx universe');
    expect(report.series.map(({ name, outcome, problem }) => [name, outcome, problem])).toEqual([
      ['fx intraday eur usd', 'complete', undefined],
      ['fx universe', 'complete', undefined],
    ]);
    const window = { start_time: '2026-11-01T00:00:00Z', end_time: '2026-11-20T15:00:00Z' };
    const [there, here] = await both('fx_intraday_reference_rates', { base: 'EUR', quote: 'USD' }, window);
    expect(here).toEqual(there);
    expect(here.count).toBe(56);
    for (const query of [{}, { currency: 'cad' }, { source: 'sandbox_usd_daily' }, { currency: 'ZZZ' }]) {
      const [wide, own] = await both('fx_source_universe', {}, query);
      expect(own).toEqual(wide);
    }
  });

  it('without a key gets nothing but the universe', async () => {
    const { sync } = await world();
    const report = await sync('fx universe, fx reference eur usd, fx intraday eur usd, fx session eur usd', '');
    expect(report.series.map(({ outcome, problem }) => [outcome, problem?.kind])).toEqual([
      ['complete', undefined],
      ...Array.from({ length: 6 }, () => ['failed', 'auth']),
    ]);
  });
});
