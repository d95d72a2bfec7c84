import { beforeAll, describe, expect, it } from 'vitest';
import { MAIN_CURRENCIES } from '../../src/contract/words/words.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { sandboxPath } from '../support/service.ts';
import { DAY, syncWorld, valuesOf } from './world.ts';

beforeAll(() => sandboxPath(testPlatform({ now: '2026-11-20T15:00:00Z' }).platform), 120_000);

const HISTORIES = 60;

/** Words of so many histories: announcements of the sandbox, and pairs, direct ones and crosses. */
async function manyHistories(upstream: Mirror): Promise<string> {
  const announcements = (await upstream.find({ endpoint: 'announcements', scope: {} })).map(
    ({ scope }) => `announcements ${scope.currency} ${scope.indicator}`,
  );
  const pairs = MAIN_CURRENCIES.flatMap((base) =>
    MAIN_CURRENCIES.filter((quote) => quote !== base).map((quote) => `fx ${base} ${quote}`),
  );
  return [...announcements.slice(0, HISTORIES / 2), ...pairs.slice(0, HISTORIES / 2)].join(', ');
}

describe('the requests of a run', () => {
  it('for whole histories are the fewest pages that hold them, and one for the feed', {
    timeout: 120_000,
  }, async () => {
    const { upstream, sync, spent, mirror } = await syncWorld();
    const words = await manyHistories(upstream);
    const requests = await spent(() => sync(words));
    let [series, fewest] = [0, 0];
    for (const endpoint of ['announcements', 'forex']) {
      const original = await valuesOf(upstream, endpoint);
      for (const [name, rows] of await valuesOf(mirror, endpoint)) {
        if (original.has(name)) expect([name, rows]).toEqual([name, original.get(name)]);
        series += 1;
        fewest += Math.ceil(rows.length / 100);
      }
    }
    expect(requests.length).toBe(fewest + 1);
    expect(series).toBe(HISTORIES);
  });

  it('a day later are one for the feed and one for each series that it names', { timeout: 120_000 }, async () => {
    const { clock, upstream, sync, spent, release, mirror, plan } = await syncWorld();
    const series = await upstream.find({ endpoint: 'announcements', scope: {} });
    const words = series.map(({ scope }) => `announcements ${Object.values(scope).join(' ')}`).join(', ');
    await sync(words);
    await clock.advance(DAY);
    for (const { scope } of series.slice(0, 5))
      await release({ currency: scope.currency ?? '', indicator: scope.indicator ?? '', date: '2026-11-21', val: 1.5 });
    const planned = await plan(words);
    expect(planned.map(({ reason, requests }) => [reason, requests])).toEqual([['changes', 1]]);
    const requests = await spent(() => sync(words));
    expect(requests.length).toBe(6);
    expect(await valuesOf(mirror, 'announcements')).toEqual(await valuesOf(upstream, 'announcements'));
    expect((await spent(() => sync(words))).length).toBe(1);
  });

  it('on a day without news cost what the plan said', async () => {
    const { clock, sync, plan, spent } = await syncWorld();
    const words = 'announcements usd inflation, fx eur usd, commodities gold, cot usd, calendar usd, catalogue usd';
    await sync(words);
    await clock.advance(DAY / 2);
    const planned = await plan(words);
    const requests = await spent(() => sync(words));
    expect(requests.length).toBe(planned.reduce((sum, step) => sum + step.requests, 0));
  });
});

const KINDS: Readonly<Record<string, string>> = {
  document: 'fx sources',
  snapshot: 'curve usd',
  window: 'calendar usd',
  history: 'fx eur usd',
  'history of several rows a date': 'fx reference eur usd',
  'history with a feed': 'announcements usd inflation',
  spans: 'fx intraday eur usd',
  pages: 'press usd',
  'pages by vintage': 'predictions usd prediction_source=sandbox_survey',
  'pages by checkpoint': 'calendar snapshot usd',
  cursor: 'announcements changes',
  sequence: 'sentiment changes',
};

describe.each(Object.entries(KINDS))('a plan of a %s', (_, words) => {
  it('is what a run spends, as long as nothing changes', async () => {
    const { sync, plan, spent } = await syncWorld();
    const first = await plan(words);
    const begun = await spent(() => sync(words));
    const least = first.reduce((sum, step) => sum + step.requests, 0);
    expect(begun.length >= least && (begun.length === least || first.some(({ open }) => open))).toBe(true);
    for (const more of [{}, { maxAge: 0 }, { maxAge: 0, check: true }]) {
      const planned = await plan(words, more);
      const requests = await spent(() => sync(words, more));
      expect([more, requests.length]).toEqual([more, planned.reduce((sum, step) => sum + step.requests, 0)]);
    }
  });
});
