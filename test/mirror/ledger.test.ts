import { describe, expect, test } from 'vitest';
import { asJsonText } from '../../src/contract/json.ts';
import type { Proof, SeriesKey, Walk } from '../../src/mirror/mirror.ts';
import { addProof } from '../../src/mirror/proofs.ts';
import { EURUSD, held, INFLATION, MIDNIGHT, page, rate, SERVICE, sql, testMirror } from './support.ts';

const rows = [rate('2026-11-20', 1.15), rate('2026-11-19', 1.16)];
const MINUTE = 60_000;

describe('finding series', () => {
  const nsa: SeriesKey = { ...INFLATION, scope: { ...INFLATION.scope, seasonality: 'nsa' } };
  const euro: SeriesKey = { ...INFLATION, scope: { currency: 'EUR', indicator: 'inflation' } };
  const official: SeriesKey = { ...INFLATION, origin: 'import:bls' };

  async function filled() {
    const made = await testMirror();
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

  test('is kept with what it was asked for and with the commit that it describes', async () => {
    const { mirror } = await testMirror();
    await mirror.commitPage(page(rows, { envelope: envelope('a') }));
    await mirror.commitPage(page(rows, { envelope: envelope('b') }));
    expect((await held(mirror)).envelope).toEqual({ ...envelope('b'), commit: 2 });
    await mirror.commitPage(page(rows, { envelope: envelope('b', 'question 2') }));
    expect((await held(mirror)).envelope).toEqual({ ...envelope('b', 'question 2'), commit: 3 });
  });

  test('of before a change of the rows keeps its commit, so that it is seen to be old; received again it is new', async () => {
    const { mirror } = await testMirror();
    await mirror.commitPage(page(rows, { envelope: envelope('a') }));
    await mirror.commitPage(page([rate('2026-11-20', 2)]));
    const old = await held(mirror);
    expect([old.envelope?.commit, old.generation]).toEqual([1, 2]);
    await mirror.commitPage(page([rate('2026-11-20', 2)], { envelope: envelope('a') }));
    const fresh = await held(mirror);
    expect([fresh.envelope?.commit, fresh.generation]).toEqual([3, 3]);
  });
});

describe('freshness', () => {
  test('is not moved by an answer about a stretch that ends before the newest row', async () => {
    const { mirror } = await testMirror();
    await mirror.commitPage(page(rows));
    const at = MIDNIGHT + MINUTE;
    const old = [rate('1999-01-05', 1), rate('1999-01-04', 1)];
    const proof = { from: '1999-01-01', to: '1999-12-31', rows: 2 };
    await mirror.commitPage(page(old, { at, extent: 'listed', walk: null, proof }));
    expect((await held(mirror)).checkedAt).toBe(MIDNIGHT);
    await mirror.commitPage(page(rows, { at, extent: 'listed' }));
    expect((await held(mirror)).checkedAt).toBe(at);
  });

  test('is moved by an answer up to today, though rows dated ahead are held', async () => {
    const { mirror } = await testMirror();
    await mirror.commitPage(page([rate('2026-12-31', 1), ...rows]));
    const proof = { from: '2026-11-01', to: '2026-11-21', rows: 2 };
    await mirror.commitPage(page(rows, { at: MIDNIGHT + MINUTE, extent: 'listed', proof }));
    expect((await held(mirror)).checkedAt).toBe(MIDNIGHT + MINUTE);
  });
});

describe('validators', () => {
  test('belong to one question under one access, and the last answer decides', async () => {
    const { mirror } = await testMirror();
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
    const { mirror, path } = await testMirror();
    for (let i = 1; i <= 60; i += 1)
      await mirror.commitPage(page(rows, { etag: `"${i}"`, question: `q${i}`, at: MIDNIGHT + i }));
    expect(sql(path, 'select count(*) as n from validators')).toEqual([{ n: 50 }]);
    expect(await mirror.validator('key:1', 'q10')).toBeUndefined();
    expect(await mirror.validator('key:1', 'q11')).toBe('"11"');
  });
});

describe('walks', () => {
  const walk: Walk = {
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
    const { mirror, again } = await testMirror();
    expect(await mirror.walk(EURUSD, 'key:1')).toBeUndefined();
    await mirror.commitPage(page(rows, { walk }));
    expect(await (await again()).walk(EURUSD, 'key:1')).toStrictEqual(walk);
    expect(await mirror.walk(EURUSD, 'keyless')).toBeUndefined();
    const next: Walk = { ...walk, next: '200', total: 250, seen: 200, lastKey: undefined };
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
    const { mirror } = await testMirror();
    const prove = (access: 'keyless' | 'key:1' | 'key:2', year: number, at: number) =>
      mirror.commitPage(page(rows, { access, proof: window(`${year}-01-01`, `${year}-06-30`), at }));
    await prove('keyless', 2001, MIDNIGHT);
    await prove('key:1', 2002, MIDNIGHT + 1);
    await prove('key:2', 2003, MIDNIGHT + 2);
    const series = await held(mirror);
    const proven = (year: number, at: number) => ({ ...window(`${year}-01-01`, `${year}-06-30`), provenAt: at });
    expect(await mirror.proofs(series, 'key:1')).toEqual([proven(2002, MIDNIGHT + 1)]);
    expect(await mirror.proofs(series, 'key:3')).toEqual([]);
    expect(await mirror.proofs(series, 'keyless')).toEqual([
      proven(2001, MIDNIGHT),
      proven(2002, MIDNIGHT + 1),
      proven(2003, MIDNIGHT + 2),
    ]);
  });

  test('grow over a newer window that they touch, with the rows that are held there', async () => {
    const { mirror } = await testMirror();
    await mirror.commitPage(
      page([rate('2026-11-18', 1), ...rows], { proof: { from: '2026-11-01', to: '2026-11-18', rows: 1 } }),
    );
    await mirror.commitPage(page(rows, { proof: { from: '2026-11-19', to: '2026-11-20', rows: 2 }, at: MIDNIGHT + 5 }));
    expect(await mirror.proofs(await held(mirror), 'key:1')).toEqual([
      { from: '2026-11-01', to: '2026-11-20', rows: 3, provenAt: MIDNIGHT },
      { from: '2026-11-19', to: '2026-11-20', rows: 2, provenAt: MIDNIGHT + 5 },
    ]);
  });

  const proof = (from: string, to: string, provenAt: number): Proof => ({ from, to, rows: 0, provenAt });

  test('inside of a new one say nothing more', () => {
    const before = [proof('2026-02-01', '2026-03-01', 1), proof('2026-01-01', '2026-12-31', 2)];
    expect(addProof(before, proof('2026-01-01', '2026-12-31', 3))).toEqual([proof('2026-01-01', '2026-12-31', 3)]);
  });

  test('far apart stay apart, however many they are', () => {
    const years = Array.from({ length: 20 }, (_, i) => proof(`${2000 + i}-01-01`, `${2000 + i}-06-30`, i));
    expect(years.reduce<readonly Proof[]>(addProof, [])).toEqual(years);
  });

  test('of a year of daily refreshes stay few, and the whole history stays covered', () => {
    let proofs: readonly Proof[] = [proof('1999-01-01', '2025-12-31', 0)];
    for (let day = 1; day <= 365; day += 1) {
      const to = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
      const from = new Date(Date.UTC(2024, 11, day)).toISOString().slice(0, 10);
      proofs = addProof(proofs, proof(from, to, day));
    }
    expect(proofs.length).toBe(4);
    expect(proofs).toContainEqual(proof('1999-01-01', '2026-12-31', 0));
    expect(proofs).toContainEqual(proof('2025-11-30', '2026-12-31', 365));
  });
});

test('the ledger tables are those that the ledger names', async () => {
  const { path } = await testMirror();
  const names = sql(
    path,
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
  );
  const known = [
    ...['arrivals', 'commits', 'consumers', 'deliveries', 'failures', 'follows', 'gaps', 'journal', 'mirror'],
    ...['proofs', 'runs', 'scopes', 'series', 'subscriptions', 'sums', 'validators', 'walks'],
  ];
  expect(names).toEqual(known.map((name) => ({ name })));
});

test('an endpoint without a mapping is a mistake of the program', async () => {
  const { mirror } = await testMirror();
  const series = { origin: SERVICE, endpoint: 'ping', scope: {} };
  await expect(mirror.commitPage(page([], { series }))).rejects.toMatchObject({ kind: 'internal' });
});
