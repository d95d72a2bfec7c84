import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { StoredSeries } from '../../src/mirror/api/series.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';

/** Words of a sync for every pair of paging and strategy that occurs, and how many rows a page is made to have. */
const WALKS: Readonly<Record<string, readonly [words: string, rows: number]>> = {
  'none document': ['catalogue usd, fx sources', 100],
  'none snapshot': ['curve usd', 100],
  'none window': ['calendar usd', 100],
  'none spans': ['fx intraday eur usd', 100],
  'offset history': ['commodities gold', 50],
  'offset pages': ['press usd', 5],
  'cursor cursor': ['announcements changes', 5],
  'vintage pages': ['predictions usd prediction_source=sandbox_survey', 5],
  'checkpoint pages': ['calendar snapshot usd', 5],
  'sequence sequence': ['sentiment changes', 30],
};

async function upstreamWorld(rows: number) {
  const { platform } = testPlatform({ now: NOW });
  const service = await serviceOver(await sandboxMirror(platform), platform);
  // Pages are made small, so that a walk has several.
  const small: Fetch = (url, init) => service.fetch(url.replace(/([?&]limit=)\d+/, `$1${rows}`), init);
  return { fetch: small, seen: service.seen };
}

async function local(fetch: Fetch) {
  const { platform, clock } = testPlatform({ now: NOW, seed: 2 });
  const mirror = await freshMirror(platform);
  /** `survived`: so many requests are answered, and the run dies at the next one. */
  const sync = async (words: string, survived = Number.POSITIVE_INFINITY) => {
    const death = new AbortController();
    let left = survived;
    const mortal: Fetch = (url, init) => {
      if (left === 0) death.abort(new Error('killed'));
      left -= 1;
      return death.signal.aborted ? Promise.reject(death.signal.reason) : fetch(url, init);
    };
    const client = createClient({ platform: { ...platform, fetch: mortal }, baseUrl: SERVICE_URL, key: 'k-test' });
    const select = { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] };
    const targets = await selectTargets(words.split(' '), select);
    return runSync({ client, mirror, clock, targets, maxAge: 0, signal: death.signal });
  };
  return { mirror, sync };
}

/** Requests at which a run dies: on a file each of them, on a server the second and one in the middle, which decide the same there. */
function deaths(requests: number): readonly number[] {
  const all = Array.from({ length: requests }, (_, i) => i);
  if (process.env.MACRO_TEST_ENGINE !== 'PostgreSQL') return all;
  return all.filter((i) => i === 1 || i === Math.floor(requests / 2));
}

const targetsIn = (words: string) => words.split(',');
const nameOf = ({ endpoint, scope }: StoredSeries) => [endpoint, ...Object.values(scope)].join(' ');

/** All that the mirror holds, rows as texts, and how far it is proven; in how many pieces is the walk's own matter. */
async function contentOf(mirror: Mirror) {
  const all: Record<string, { readonly rows: readonly string[]; readonly proven: unknown }> = {};
  for (const { id } of ENDPOINTS.filter(({ mirror: mapping }) => mapping))
    for (const series of await mirror.find({ endpoint: id, scope: {} })) {
      const rows = (await mirror.rows(series, {})).map(({ text }) => text);
      const coveredRanges = await mirror.coveredRanges(series, 'keyless');
      const bounds = [
        coveredRanges.map(({ from }) => from).sort()[0],
        coveredRanges
          .map(({ to }) => to)
          .sort()
          .at(-1),
      ];
      all[nameOf(series)] = { rows, proven: bounds };
    }
  return all;
}

it('every pair of paging and strategy that occurs is walked', () => {
  const pairs = ENDPOINTS.flatMap(({ paging, mirror }) => (mirror ? [`${paging.kind} ${mirror.sync.kind}`] : []));
  expect([...new Set(pairs)].sort()).toEqual(Object.keys(WALKS).sort());
});

describe.each(Object.entries(WALKS))('a sync of the kind "%s"', (_, [words, rows]) => {
  it('that died at any of its requests ends with the same content when it is run again', async () => {
    const { fetch, seen } = await upstreamWorld(rows);
    const whole = await local(fetch);
    const { requests, outcome } = await whole.sync(words);
    expect(outcome).toBe('complete');
    const expected = await contentOf(whole.mirror);
    expect(Object.values(expected).map(({ rows }) => rows.length > 0)).toEqual(targetsIn(words).map(() => true));
    expect(requests).toBe(seen.length);
    for (const survived of deaths(requests)) {
      const { mirror, sync } = await local(fetch);
      const first = await sync(words, survived);
      const second = await sync(words);
      expect([survived, first.outcome, second.outcome]).toEqual([survived, 'incomplete', 'complete']);
      expect(await contentOf(mirror)).toEqual(expected);
    }
  });
});
