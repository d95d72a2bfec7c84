import { describe, expect, test } from 'vitest';
import type { Selection } from '../../../src/mirror/api/series.ts';
import { CALENDAR, type FreshMirror, held, INFLATION, page, rate } from '../support.ts';

/** Pages, windows and conditions. */
export function readOf(fresh: FreshMirror): void {
  const days = (count: number) =>
    Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));

  describe('a page of rows', () => {
    async function filled() {
      const made = await fresh();
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
    const { mirror } = await fresh();
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
    const { mirror } = await fresh();
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
}
