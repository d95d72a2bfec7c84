import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';
const ENV = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };

beforeAll(() => sandboxPath(testPlatform({ now: NOW }).platform), 120_000);

/** A person's world beside the sandbox's service. */
async function world(options: { fetch?: Fetch; sleeping?: 'waits' } = {}): Promise<TestPlatform & { seen: string[] }> {
  const upstream = testPlatform({ now: NOW });
  const service = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const { sleeping } = options;
  const at = testPlatform({ now: NOW, env: ENV, fetch: options.fetch ?? service.fetch, ...(sleeping && { sleeping }) });
  return { ...at, seen: service.seen };
}

const mirrorOf = (at: TestPlatform) =>
  openMirror({
    path: join(at.folder, 'macro', 'mirrors', 'default.db'),
    mappings: MAPPINGS,
    platform: at.platform,
    mode: 'write',
  });

describe('macro sync', () => {
  it('plans without asking anybody or making a mirror', async () => {
    const at = await world();
    const { code, out } = await macro('sync --plan fx eur usd, calendar usd --format json', at);
    const { requests, at_least, open, series, budgets, data } = JSON.parse(out);
    expect([code, at.seen, at.platform.files.exists(join(at.folder, 'macro', 'mirrors', 'default.db'))]).toEqual([
      0,
      [],
      false,
    ]);
    expect({ requests, at_least, open, series }).toEqual({ requests: 35, at_least: 2, open: 1, series: 2 });
    expect(budgets).toContainEqual({ window: 'minute', limit: 300, left: 300, after: 265 });
    expect(data.map((row: { reason: string; series: string }) => [row.reason, row.series])).toEqual([
      ['head', 'fx eur usd'],
      ['head', 'calendar usd'],
      ['backfill', 'fx eur usd'],
    ]);
  });

  it('leaves a file that is whole by itself: the log is in it', async () => {
    const at = await world();
    await macro('sync calendar usd', at);
    expect([...at.platform.files.list(join(at.folder, 'macro', 'mirrors'))].sort()).toEqual([
      'default.db',
      'default.db-sync',
    ]);
  });

  it('proves a document as a whole and a history from where to where', async () => {
    const at = await world();
    await macro('sync fx sources, calendar usd, fx eur usd', at);
    expect((await macro('mirror status --fields series,proven --no-header', at)).out).toBe(
      'calendar usd\t2026-11-13..9999-12-31\nfx eur usd\t1900-01-01..2026-11-20\nfx sources\twhole\n',
    );
    const { data } = JSON.parse((await macro('mirror status --format json --fields proven_ranges', at)).out);
    expect(data).toEqual([
      { proven_ranges: [{ from: '2026-11-13T00:00:00Z', to: '9999-12-31T23:59:59Z' }] },
      { proven_ranges: [{ from: '1900-01-01', to: '2026-11-20' }] },
      { proven_ranges: [{ from: null, to: null }] },
    ]);
  });

  it('says which words no table knows before it plans or asks, as a question does', async () => {
    const at = await world();
    const note = 'note: USX is none of the 18 currencies known for this route. Did you mean USD?\n';
    for (const line of ['sync --plan fx eur usx', 'fx eur usx --offline']) {
      expect((await macro(line, at)).err).toContain(note.slice('note: '.length, -1));
    }
    const { code, err } = await macro('sync fx eur usx', at);
    expect([code, err.startsWith(note)]).toEqual([2, true]);
    // A further run would end the same.
    expect(err.trimEnd().split('\n').at(-1)).toBe(
      'Name other series: the service has none under these words, now and in a further run.',
    );
  });

  it('works on what is tracked, asks the catalogue for indicators, and is quiet in one line', async () => {
    const at = await world();
    await macro('track add announcements usd, calendar usd', at);
    const first = await macro('sync --quiet', at);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(
      /^sync complete: \d+ series read, 0 up to date already, \d+ requests, \d+ new, 0 revised, 0 withdrawn\n$/,
    );
    const second = await macro('sync --quiet --format json', at);
    const { outcome, requests, series, fresh } = JSON.parse(second.out);
    expect({ outcome, requests, fresh }).toEqual({ outcome: 'complete', requests: 1, fresh: series });
  });

  it('names each series that failed with its reason and its code, quiet too, and leaves with 10 while others are complete', async () => {
    const told = await world();
    const fetch: Fetch = async (url, init) =>
      url.includes('/usd/m1') || url.includes('/USD/m1')
        ? new Response('{"detail":"Broken","code":"internal_error"}', { status: 500 })
        : told.platform.fetch(url, init);
    const at = await world({ fetch });
    const words = 'announcements usd m1, announcements usd nonsense, announcements usd inflation';
    const { code, out, err } = await macro(`sync --quiet ${words}`, at);
    const [first, second, last] = err.split('\n');
    expect([code, out]).toEqual([
      10,
      expect.stringMatching(/^sync incomplete: 1 series read, 0 up to date already, 2 not complete, /),
    ]);
    expect([first, second]).toEqual([
      'warning: announcements usd m1: The service failed: Broken. Tried 4 times. (internal_error)',
      expect.stringMatching(/^warning: announcements usd nonsense: .*nonsense.* \(unknown_indicator\)$/),
    ]);
    expect(last).toBe(
      'macro: 2 of 3 series are not complete: announcements usd m1 (internal_error), announcements usd nonsense (unknown_indicator).',
    );
  });

  it('notes in the mirror how a run ended', async () => {
    const at = await world();
    await macro('sync announcements usd nonsense, sentiment', at);
    const mirror = await mirrorOf(at);
    const [run] = await mirror.runs(1);
    mirror.close();
    expect(run).toMatchObject({
      outcome: 'incomplete',
      words: 'announcements usd nonsense, sentiment',
      holder: 'process 4242 on desk-a',
    });
    expect(run?.problem).toContain('nonsense');
  });

  it('leaves with 75 while another one holds the lock, and names it', async () => {
    const at = await world();
    await macro('sync fx sources', at);
    const mirror = await mirrorOf(at);
    const lock = await mirror.lockSync();
    await mirror.startRun({ started: Date.parse(NOW), holder: 'process 7', words: '' });
    const { code, err } = await macro('sync fx sources', at);
    expect([code, err]).toEqual([
      75,
      expect.stringContaining('running already: process 7, since 2026-11-20T15:00:00Z.'),
    ]);
    await lock.release();
    mirror.close();
    expect((await macro('sync fx sources', at)).code).toBe(0);
  });

  it.each([
    ['a service that is gone', 6, () => Promise.reject(new TypeError('fetch failed'))],
    ['an answer that is none', 7, async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    [
      'a spent quota',
      5,
      async () =>
        new Response('{"detail":"x","code":"rate_limit_exceeded"}', {
          status: 429,
          headers: { 'retry-after': '4000' },
        }),
    ],
  ])('of %s leaves with %d', async (_, exit, fetch) => {
    const at = await world({ fetch });
    expect((await macro('sync sentiment', at)).code).toBe(exit);
  });

  it('watches without noting the same again at each look', async () => {
    const [told, at] = [await world(), await world({ sleeping: 'waits' })];
    // A service that has more than our tables know.
    const fetch: Fetch = (url, init) => told.platform.fetch(url.replace('USX', 'USD'), init);
    const running = macro('sync --watch calendar usx', { ...at, platform: { ...at.platform, fetch } });
    const looks = () => at.err().split('Next check at').length - 1;
    while (looks() < 3) {
      await at.clock.advance(60_000);
      await new Promise(setImmediate);
    }
    at.interrupt();
    expect((await running).code).toBe(130);
    expect(at.err().split('USX is none of the').length - 1).toBe(1);
  });

  it('watches: syncs, sleeps until something is due, and ends when it is interrupted', async () => {
    const at = await world({ sleeping: 'waits' });
    await macro('track add announcements usd inflation, calendar usd', at);
    const running = macro('sync --watch --quiet', at);
    const until = async (count: number) => {
      for (let i = 0; i < 5000 && at.seen.length < count; i += 1) await new Promise(setImmediate);
    };
    await until(3);
    const begun = at.seen.length;
    for (let i = 0; i < 200 && at.seen.length === begun; i += 1) {
      await at.clock.advance(60_000);
      await new Promise(setImmediate);
    }
    expect(at.seen.length).toBeGreaterThan(begun);
    at.interrupt();
    expect((await running).code).toBe(130);
  });
});
