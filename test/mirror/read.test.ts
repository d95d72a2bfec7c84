import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { Selection } from '../../src/mirror/mirror.ts';
import { whereOf } from '../../src/mirror/select.ts';
import { tableOf } from '../../src/mirror/tables.ts';
import { CALENDAR, EURUSD, held, INFLATION, page, rate, testMirror } from './support.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));

describe('a page of rows', () => {
  async function filled() {
    const made = await testMirror();
    await made.mirror.commitPage(page(days(10).map((day) => rate(day, 1))));
    const series = await held(made.mirror);
    const keys = async (selection: Selection, limits?: { limit: number; offset: number }) =>
      (await made.mirror.rows(series, selection, limits)).map((one) => String(one.key[0]).slice(8));
    return { ...made, series, keys };
  }

  test('comes newest first where the endpoint answers so, from an offset on', async () => {
    const { keys } = await filled();
    expect(await keys({})).toEqual(['10', '09', '08', '07', '06', '05', '04', '03', '02', '01']);
    expect(await keys({}, { limit: 3, offset: 2 })).toEqual(['08', '07', '06']);
    expect(await keys({}, { limit: 3, offset: 9 })).toEqual(['01']);
    expect(await keys({}, { limit: 3, offset: 10 })).toEqual([]);
  });

  test('is bounded by the window, both ends included, and counted alike', async () => {
    const { mirror, keys, series } = await filled();
    const cases: [Selection, string[]][] = [
      [{ from: '2026-01-08' }, ['10', '09', '08']],
      [{ to: '2026-01-02' }, ['02', '01']],
      [{ from: '2026-01-03', to: '2026-01-04' }, ['04', '03']],
      [{ from: '2026-01-05', to: '2026-01-04' }, []],
      [{ where: { date: '2026-01-05' } }, ['05']],
      [{ where: { val: 2 } }, []],
    ];
    for (const [selection, expected] of cases) {
      expect(await keys(selection)).toEqual(expected);
      expect(await mirror.count(series, selection)).toBe(expected.length);
    }
  });

  test('is counted anew after a commit, here and in a snapshot', async () => {
    const { mirror, series } = await filled();
    expect(await mirror.count(series, {})).toBe(10);
    await mirror.snapshot(async (reader) => {
      expect(await reader.count(series, {})).toBe(10);
      await mirror.commitPage(page([rate('2026-02-01', 1)]));
      expect(await mirror.count(series, {})).toBe(11);
      expect(await reader.count(series, {})).toBe(10);
    });
    expect(await mirror.snapshot((reader) => reader.count(series, {}))).toBe(11);
  });

  test('knows no column that the mapping does not name', async () => {
    const { mirror, series } = await filled();
    await expect(mirror.rows(series, { where: { text: 'x' } })).rejects.toThrow("forex has no column 'text'");
  });
});

test('rows are left out until their release; rows without a release time stay', async () => {
  const { mirror } = await testMirror();
  const released = (date: string, time: string) => `{"date":"${date}","val":1,"announcement_datetime":${time}}`;
  const rows = [released('2026-10-31', '300'), released('2026-09-30', 'null'), released('2026-08-31', '200')];
  await mirror.commitPage(page(rows, { series: INFLATION }));
  const series = await held(mirror, INFLATION);
  const visible = async (releasedBy: number) => (await mirror.rows(series, { releasedBy })).map((one) => one.key[0]);
  expect(await visible(300)).toEqual(['2026-10-31', '2026-09-30', '2026-08-31']);
  expect(await visible(299)).toEqual(['2026-09-30', '2026-08-31']);
  expect(await visible(199)).toEqual(['2026-09-30']);
  expect(await mirror.count(series, { releasedBy: 199 })).toBe(1);
});

test('rows come oldest first where the endpoint answers so, ties in the order of the further key', async () => {
  const { mirror } = await testMirror();
  const event = (time: number, id: string, release: string) =>
    `{"announcement_datetime":${time},"calendar_event_id":"${id}","release":"${release}"}`;
  const rows = [event(1795219200, 'b', 'gdp'), event(1795305599, 'a', 'cpi'), event(1795219200, 'a', 'cpi')];
  await mirror.commitPage(page(rows, { series: CALENDAR }));
  const series = await held(mirror, CALENDAR);
  const keys = async (selection: Selection) => (await mirror.rows(series, selection)).map((one) => one.key);
  expect(await keys({})).toEqual([
    [1795219200, 'a'],
    [1795219200, 'b'],
    [1795305599, 'a'],
  ]);
  expect(await keys({ where: { release: 'cpi' } })).toEqual([
    [1795219200, 'a'],
    [1795305599, 'a'],
  ]);
  // A date bounds instants by its first and last second.
  expect(await keys({ from: '2026-11-21', to: '2026-11-21' })).toHaveLength(3);
  expect(await keys({ to: '2026-11-20' })).toEqual([]);
  expect(await keys({ from: '2026-11-21T00:00:01Z' })).toEqual([[1795305599, 'a']]);
});

test('every read of a page walks the key of the table and sorts nothing', async () => {
  const { mirror, path } = await testMirror();
  const series = [EURUSD, INFLATION, CALENDAR];
  for (const key of series) await mirror.commitPage(page([], { series: key }));
  const db = new Database(path, { readonly: true });
  for (const { endpoint } of series) {
    const mapping = MAPPINGS[endpoint];
    if (!mapping) throw new Error(endpoint);
    const table = tableOf(endpoint, mapping);
    const where = whereOf(table, 1, { from: 1, to: 2, releasedBy: 3 });
    const order = table.key.map((column) => `${column.name} ${table.direction}`).join(', ');
    for (const what of [
      `count(*) from ${table.current} where ${where.sql}`,
      `text from ${table.current} where ${where.sql} order by ${order} limit 20`,
    ]) {
      const plan = db.prepare<unknown[], { detail: string }>(`explain query plan select ${what}`).all(...where.values);
      expect(plan.map((step) => step.detail)).toEqual([
        expect.stringMatching(/^SEARCH \w+ USING PRIMARY KEY \(series=\? AND \w+>\? AND \w+<\?\)$/),
      ]);
    }
  }
  db.close();
});

test('the version moves with every commit, of this program or of another, and only then', async () => {
  const { mirror, again } = await testMirror();
  const [other, reader] = [await again(), await again({ mode: 'read' })];
  const versions = () => [mirror.version(), other.version(), reader.version()];
  const start = versions();
  expect(versions()).toEqual(start);
  await mirror.commitPage(page([rate('2026-11-20', 1)]));
  const second = versions();
  await other.startRun({ started: 5, holder: 'process 1', words: '' });
  const third = versions();
  for (const i of [0, 1, 2]) {
    expect(second[i]).toBeGreaterThan(start[i] ?? Number.NaN);
    expect(third[i]).toBeGreaterThan(second[i] ?? Number.NaN);
  }
  expect(versions()).toEqual(third);
});
