import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { fillSandbox, isFilled } from '../../src/sandbox/fill.ts';
import { openSandbox } from '../../src/sandbox/open.ts';
import { inMirror } from '../support/in-mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { ownSandbox, sandboxMirror } from '../support/service.ts';
import { dataSet, NOW, rowsOf, seriesOf } from './data-set.ts';

const DAY = 86_400_000;
const all = dataSet();

async function withMirror<T>(work: (mirror: Mirror) => Promise<T>): Promise<T> {
  const { platform, folder } = testPlatform({ now: NOW });
  return inMirror({ path: join(folder, 'm.db'), platform, mode: 'write' }, work);
}

/** A platform of the day; its data set is filled once for all tests that begin with it. */
const today = () => testPlatform({ now: NOW }).platform;

describe('a filled mirror', () => {
  test('is stamped synthetic and holds every row of the data set as it was generated', async () => {
    const mirror = await sandboxMirror(today(), 1);
    expect(await mirror.stamp()).toMatchObject({ service: 'sandbox', nature: 'synthetic' });
    for (const { endpoint, scope, envelope, rows: generated } of all) {
      const [held] = await mirror.find({ endpoint, scope, exact: true });
      expect(held).toMatchObject({ endpoint, scope, origin: 'sandbox' });
      expect(JSON.parse(held?.envelope?.text ?? 'null')).toEqual(envelope);
      const texts = held ? (await mirror.rows(held, {})).map(({ text }) => text) : [];
      expect(texts).toEqual(generated.map(({ text }) => text));
    }
  });

  test('has its histories proven to today for keyed and keyless questions', async () => {
    const mirror = await sandboxMirror(today(), 1);
    for (const [endpoint, scope] of [
      ['forex', { base: 'EUR', quote: 'USD' }],
      ['announcements', { currency: 'USD', indicator: 'inflation' }],
      ['risk_sentiment', {}],
    ] as const) {
      const [held] = await mirror.find({ endpoint, scope });
      const coveredRanges = held ? await mirror.coveredRanges(held, 'keyless') : [];
      expect(coveredRanges.some(({ from, to }) => String(from) <= '2001-01-01' && to === '2026-11-21')).toBe(true);
    }
  });

  test('keeps every print of a period as a vintage', async () => {
    const mirror = await sandboxMirror(today(), 1);
    const scope = { currency: 'USD', indicator: 'gdp' };
    const revised = rowsOf(all, 'announcements', scope).find(
      ({ revisions }) => Array.isArray(revisions) && revisions.length > 1,
    );
    const [held] = await mirror.find({ endpoint: 'announcements', scope });
    const vintages = held ? await mirror.vintages(held, [String(revised?.date)]) : [];
    expect(vintages.map(({ text }) => JSON.parse(text))).toEqual(revised?.revisions);
  });

  test('changes nothing when it is filled again, and is known to be full for that day and seed only', async () => {
    const mirror = await ownSandbox(today(), 1);
    const wanted = { mirror, seed: 1, now: NOW, size: 'small' } as const;
    expect(await isFilled(wanted)).toBe(true);
    expect(await isFilled({ ...wanted, now: NOW + 3_600_000 })).toBe(true);
    expect(await isFilled({ ...wanted, now: NOW + DAY })).toBe(false);
    expect(await isFilled({ ...wanted, seed: 2 })).toBe(false);
    expect(await isFilled({ ...wanted, size: 'full' })).toBe(false);
    expect((await fillSandbox(wanted)).changed).toBe(0);
    await withMirror(async (empty) => expect(await isFilled({ ...wanted, mirror: empty })).toBe(false));
  });

  test('takes the next day as an addition: the new rows, the revisions, the moved schedule', async () => {
    const mirror = await ownSandbox(today(), 1);
    const tuesday = NOW + 3 * DAY;
    const report = await fillSandbox({ mirror, seed: 1, now: tuesday, size: 'small' });
    expect(report.changed).toBeGreaterThan(20);
    expect(report.changed).toBeLessThan(900);
    const wanted = seriesOf(dataSet({ now: tuesday }), 'forex', { base: 'EUR', quote: 'USD' });
    const [held] = await mirror.find({ endpoint: 'forex', scope: wanted.scope });
    const texts = held ? (await mirror.rows(held, {})).map(({ text }) => text) : [];
    expect(texts).toEqual(wanted.rows.map(({ text }) => text));
  });

  test('never takes real answers, nor does a real one take generated rows', async () => {
    await withMirror(async (mirror) => {
      const answer = {
        series: { origin: 'https://api.example.com', endpoint: 'fx_sources', scope: {} },
        nature: 'real',
        access: 'keyless',
        request: 'GET /v1/fx/sources',
        question: 'fx_sources?',
        rows: [],
        extent: 'replaces',
        at: NOW,
      } as const;
      await mirror.commitPage(answer);
      const filling = fillSandbox({ mirror, seed: 1, now: NOW, size: 'small' });
      await expect(filling).rejects.toMatchObject({ kind: 'mirror', code: 'mirror_nature' });
    });
  });
});

describe('opening the sandbox', () => {
  test('fills a file once a day, and tells how far it is', async () => {
    const { platform, folder } = testPlatform({ now: NOW });
    const seen: number[] = [];
    const open = (now: number) =>
      openSandbox({ platform, folder, now, size: 'small', onProgress: ({ rows }) => seen.push(rows) });
    const first = await open(NOW);
    const rows = all.reduce((sum, series) => sum + series.rows.length, 0);
    expect(first).toEqual({
      path: join(folder, '_served-sandbox.db'),
      filled: { series: all.length, rows, changed: rows },
    });
    expect([seen.length, seen.at(-1)]).toEqual([all.length, rows]);
    expect(await open(NOW + 3_600_000)).toEqual({ path: first.path, filled: undefined });
    expect((await open(NOW + DAY)).filled?.changed).toBeGreaterThan(0);
  });

  test('refuses a clock from before its data', async () => {
    const { platform, folder } = testPlatform();
    const opening = openSandbox({ platform, folder, now: Date.parse('1999-12-31T00:00:00Z') });
    await expect(opening).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('1999-12-31') });
  });
});
