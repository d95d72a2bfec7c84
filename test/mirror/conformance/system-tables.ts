import { describe, expect, test } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { UnfinishedWalk } from '../../../src/mirror/api/page-commit.ts';
import type { SeriesKey } from '../../../src/mirror/api/series.ts';
import { rowsOfState } from '../../../src/mirror/rules/digest.ts';
import { EURUSD, type FreshMirror, held, INFLATION, MIDNIGHT, page, rate, SERVICE } from '../support.ts';

/** What a mirror knows beside the data: series, envelopes, freshness, validators, walks, proofs. */
export function systemTablesOf(fresh: FreshMirror): void {
  const rows = [rate('2026-11-20', 1.15), rate('2026-11-19', 1.16)];
  const MINUTE = 60_000;
  const rowsDigest = async (mirror: Mirror) => rowsOfState((await held(mirror)).state);

  describe('finding series', () => {
    const nsa: SeriesKey = { ...INFLATION, scope: { ...INFLATION.scope, seasonality: 'nsa' } };
    const euro: SeriesKey = { ...INFLATION, scope: { currency: 'EUR', indicator: 'inflation' } };
    const official: SeriesKey = { ...INFLATION, origin: 'import:bls' };

    async function filled() {
      const made = await fresh();
      for (const series of [INFLATION, nsa, euro, official]) await made.mirror.commitPage(page(rows, { series }));
      await made.mirror.commitPage(page(rows));
      const find = async (scope: Record<string, string>, exact?: true) => {
        const found = await made.mirror.find({ endpoint: 'announcements', scope, ...(exact && { exact }) });
        return found.map(({ origin, endpoint, scope }) => ({ origin, endpoint, scope }));
      };
      return { ...made, find };
    }

    test('a name that the reference leaves out matches any value', async () => {
      const { find } = await filled();
      expect(await find({})).toEqual([INFLATION, nsa, euro, official]);
      expect(await find({ currency: 'USD' })).toEqual([INFLATION, nsa, official]);
      expect(await find({ indicator: 'inflation', seasonality: 'nsa' })).toEqual([nsa]);
      expect(await find({ currency: 'JPY' })).toEqual([]);
      expect(await find({ seasonality: 'sa', currency: 'USD' })).toEqual([]);
    });

    test('an exact reference matches no series with further names', async () => {
      const { find } = await filled();
      expect(await find({ indicator: 'inflation', currency: 'USD' }, true)).toEqual([INFLATION, official]);
      expect(await find(nsa.scope, true)).toEqual([nsa]);
      expect(await find({ currency: 'USD' }, true)).toEqual([]);
    });

    test('a reference with every name of the endpoint finds its series, in any order of names', async () => {
      const { mirror } = await filled();
      const found = await mirror.find({ endpoint: 'forex', scope: { quote: 'USD', base: 'EUR' } });
      expect(found.map((one) => one.scope)).toEqual([EURUSD.scope]);
      expect(await mirror.find({ endpoint: 'forex', scope: { quote: 'EUR', base: 'USD' } })).toEqual([]);
    });

    test('an endpoint that the mirror does not keep has none', async () => {
      const { mirror } = await filled();
      expect(await mirror.find({ endpoint: 'ping', scope: {} })).toEqual([]);
      expect(await mirror.find({ endpoint: '__proto__', scope: {} })).toEqual([]);
    });
  });

  describe('the envelope', () => {
    const envelope = (unit: string, inputs = 'question 1') => ({ text: asJsonText(`{"unit":"${unit}"}`), inputs });

    test('is kept with what it was asked for and with the rows that it describes', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(rows, { envelope: envelope('a') }));
      await mirror.commitPage(page(rows, { envelope: envelope('b') }));
      expect((await held(mirror)).envelope).toEqual({ ...envelope('b'), rows: await rowsDigest(mirror) });
      await mirror.commitPage(page(rows, { envelope: envelope('b', 'question 2') }));
      expect((await held(mirror)).envelope).toEqual({
        ...envelope('b', 'question 2'),
        rows: await rowsDigest(mirror),
      });
    });

    test('of before a change of the rows keeps their digest, so that it is seen to be old; received again it is new', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(rows, { envelope: envelope('a') }));
      await mirror.commitPage(page([rate('2026-11-20', 2)]));
      const old = await held(mirror);
      expect(old.envelope?.rows).not.toBe(await rowsDigest(mirror));
      await mirror.commitPage(page([rate('2026-11-20', 2)], { envelope: envelope('a') }));
      const anew = await held(mirror);
      expect(anew.envelope?.rows).toBe(await rowsDigest(mirror));
    });
  });

  describe('freshness', () => {
    test('is not moved by an answer about a stretch that ends before the newest row', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(rows));
      const at = MIDNIGHT + MINUTE;
      const old = [rate('1999-01-05', 1), rate('1999-01-04', 1)];
      const covered = { from: '1999-01-01', to: '1999-12-31', rows: 2 };
      await mirror.commitPage(page(old, { at, extent: 'listed', walk: null, covered }));
      expect((await held(mirror)).checkedAt).toBe(MIDNIGHT);
      await mirror.commitPage(page(rows, { at, extent: 'listed' }));
      expect((await held(mirror)).checkedAt).toBe(at);
    });

    test('is moved by an answer up to today, though rows dated ahead are held', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page([rate('2026-12-31', 1), ...rows]));
      const covered = { from: '2026-11-01', to: '2026-11-21', rows: 2 };
      await mirror.commitPage(page(rows, { at: MIDNIGHT + MINUTE, extent: 'listed', covered }));
      expect((await held(mirror)).checkedAt).toBe(MIDNIGHT + MINUTE);
    });
  });

  describe('validators', () => {
    test('belong to one question under one access, and the last answer decides', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(rows, { etag: 'W/"1"' }));
      await mirror.commitPage(page(rows, { etag: '"2"', access: 'keyless' }));
      await mirror.commitPage(page(rows, { etag: '"3"', question: 'another' }));
      await mirror.commitPage(page(rows, { etag: '"4"', question: 'another' }));
      expect(await mirror.validator('key:1', 'forex EUR USD')).toBe('W/"1"');
      expect(await mirror.validator('keyless', 'forex EUR USD')).toBe('"2"');
      expect(await mirror.validator('key:1', 'another')).toBe('"4"');
      expect(await mirror.validator('key:2', 'another')).toBeUndefined();
      await mirror.commitPage(page(rows, { question: 'another' }));
      expect(await mirror.validator('key:1', 'another')).toBeUndefined();
    });

    test('are kept for the fifty latest questions of a series', async () => {
      const { mirror, sql } = await fresh();
      for (let i = 1; i <= 60; i += 1)
        await mirror.commitPage(page(rows, { etag: `"${i}"`, question: `q${i}`, at: MIDNIGHT + i }));
      expect(await sql('select count(*) as n from validators')).toEqual([{ n: 50 }]);
      expect(await mirror.validator('key:1', 'q10')).toBeUndefined();
      expect(await mirror.validator('key:1', 'q11')).toBe('"11"');
    });
  });

  describe('walks', () => {
    const walk: UnfinishedWalk = {
      question: 'forex EUR USD 1999',
      from: '1999-01-01',
      to: '1999-12-31',
      next: '100',
      total: undefined,
      seen: 100,
      lastKey: ['1999-08-01'],
      seams: [[['1999-09-01'], ['1999-08-31']]],
      startedAt: MIDNIGHT,
    };

    test('are continued by the access that began them, until they are finished or dropped', async () => {
      const { mirror, again } = await fresh();
      expect(await mirror.walk(EURUSD, 'key:1')).toBeUndefined();
      await mirror.commitPage(page(rows, { walk }));
      expect(await (await again()).walk(EURUSD, 'key:1')).toStrictEqual(walk);
      expect(await mirror.walk(EURUSD, 'keyless')).toBeUndefined();
      const next: UnfinishedWalk = { ...walk, next: '200', total: 250, seen: 200, lastKey: undefined };
      await mirror.commitPage(page(rows, { walk: next }));
      await mirror.commitPage(page(rows));
      expect(await mirror.walk(EURUSD, 'key:1')).toStrictEqual(next);
      await mirror.commitPage(page(rows, { walk: null }));
      expect(await mirror.walk(EURUSD, 'key:1')).toBeUndefined();
      await mirror.commitPage(page(rows, { walk }));
      await mirror.dropWalk(EURUSD, 'key:1');
      expect(await mirror.walk(EURUSD, 'key:1')).toBeUndefined();
    });
  });

  describe('proofs', () => {
    const window = (from: string, to: string) => ({ from, to, rows: 2 });

    test('of one access satisfy the same access only, but those of any key satisfy keyless', async () => {
      const { mirror } = await fresh();
      const prove = (access: 'keyless' | 'key:1' | 'key:2', year: number, at: number) =>
        mirror.commitPage(page(rows, { access, covered: window(`${year}-01-01`, `${year}-06-30`), at }));
      await prove('keyless', 2001, MIDNIGHT);
      await prove('key:1', 2002, MIDNIGHT + 1);
      await prove('key:2', 2003, MIDNIGHT + 2);
      const series = await held(mirror);
      const proven = (year: number, at: number) => ({ ...window(`${year}-01-01`, `${year}-06-30`), checkedAt: at });
      expect(await mirror.coveredRanges(series, 'key:1')).toEqual([proven(2002, MIDNIGHT + 1)]);
      expect(await mirror.coveredRanges(series, 'key:3')).toEqual([]);
      expect(await mirror.coveredRanges(series, 'keyless')).toEqual([
        proven(2001, MIDNIGHT),
        proven(2002, MIDNIGHT + 1),
        proven(2003, MIDNIGHT + 2),
      ]);
    });

    test('grow over a newer window that they touch, with the rows that are held there', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(
        page([rate('2026-11-18', 1), ...rows], { covered: { from: '2026-11-01', to: '2026-11-18', rows: 1 } }),
      );
      await mirror.commitPage(
        page(rows, { covered: { from: '2026-11-19', to: '2026-11-20', rows: 2 }, at: MIDNIGHT + 5 }),
      );
      expect(await mirror.coveredRanges(await held(mirror), 'key:1')).toEqual([
        { from: '2026-11-01', to: '2026-11-20', newest: '2026-11-20', rows: 3, checkedAt: MIDNIGHT },
        { from: '2026-11-19', to: '2026-11-20', newest: '2026-11-20', rows: 2, checkedAt: MIDNIGHT + 5 },
      ]);
    });
  });

  test('an endpoint without a mapping is a mistake of the program', async () => {
    const { mirror } = await fresh();
    const series = { origin: SERVICE, endpoint: 'ping', scope: {} };
    await expect(mirror.commitPage(page([], { series }))).rejects.toMatchObject({ kind: 'internal' });
  });
}
