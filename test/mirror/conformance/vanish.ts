import { describe, expect, test } from 'vitest';
import { CALENDAR, EURUSD, type FreshMirror, held, MIDNIGHT, page, rate, texts } from '../support.ts';

/** Rows that an answer says are gone. */
export function vanishOf(fresh: FreshMirror): void {
  const DAYS = ['2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17', '2026-11-16'] as const;
  const all = DAYS.map((day) => rate(day, 1));
  const but = (...missing: string[]) => DAYS.filter((day) => !missing.includes(day)).map((day) => rate(day, 1));

  async function filled() {
    const made = await fresh();
    await made.mirror.commitPage(page(all));
    return made;
  }

  describe('a row that is not in the answer', () => {
    test('has vanished when it lies between the listed rows, and stands among the superseded without a successor', async () => {
      const { mirror, sql } = await filled();
      const listed = [rate('2026-11-19', 1), rate('2026-11-17', 1)];
      const report = await mirror.commitPage(page(listed, { extent: 'listed', at: MIDNIGHT + 1000 }));
      expect(report).toEqual({ commit: 2, added: 0, revised: 0, vanished: 1, unchanged: 2 });
      expect(await texts(mirror)).toEqual(but('2026-11-18'));
      const history = `select s.date, s.revision, s.seen, s.superseded, v.row as text
        from fx_daily_superseded s join v_fx_superseded v on v.date = s.date and v.revision = s.revision`;
      expect(await sql(history)).toEqual([
        { date: '2026-11-18', revision: 1, seen: 1, superseded: 2, text: rate('2026-11-18', 1) },
      ]);
    });

    test('has not vanished outside of what is listed, nor when the page only adds', async () => {
      const { mirror } = await filled();
      await mirror.commitPage(page([rate('2026-11-18', 1)], { extent: 'listed' }));
      await mirror.commitPage(page([], { extent: 'listed' }));
      await mirror.commitPage(page([rate('2026-11-20', 1), rate('2026-11-16', 1)], { extent: 'adds' }));
      expect(await texts(mirror)).toEqual(all);
    });

    test('has vanished when the answer replaces everything, or its window', async () => {
      const { mirror } = await filled();
      const window = { from: '2026-11-17', to: '2026-11-19' };
      const first = await mirror.commitPage(page([rate('2026-11-18', 1)], { extent: 'replaces', window }));
      expect(first.vanished).toBe(2);
      expect(await texts(mirror)).toEqual(but('2026-11-17', '2026-11-19'));
      const second = await mirror.commitPage(page([rate('2026-11-18', 1)], { extent: 'replaces' }));
      expect(second.vanished).toBe(2);
      expect(await texts(mirror)).toEqual([rate('2026-11-18', 1)]);
      const third = await mirror.commitPage(page([], { extent: 'replaces' }));
      expect(third).toEqual({ commit: 4, added: 0, revised: 0, vanished: 1, unchanged: 0 });
    });

    test('has vanished inside a seam of a finished walk', async () => {
      const { mirror } = await filled();
      const report = await mirror.commitPage(
        page([rate('2026-11-16', 1)], { walk: null, seams: [[['2026-11-20'], ['2026-11-18']]] }),
      );
      expect(report.vanished).toBe(1);
      expect(await texts(mirror)).toEqual(but('2026-11-19'));
    });

    test('comes back as a new row with a new first sight', async () => {
      const { mirror, sql } = await filled();
      await mirror.commitPage(page(but('2026-11-18'), { extent: 'listed' }));
      const report = await mirror.commitPage(page(all, { extent: 'listed', at: MIDNIGHT + 1000 }));
      expect(report).toEqual({ commit: 3, added: 1, revised: 0, vanished: 0, unchanged: 4 });
      const back = (await mirror.rows(await held(mirror), { where: { date: '2026-11-18' } }))[0];
      expect(back).toMatchObject({ commit: 3, seenAt: MIDNIGHT + 1000 });
      await mirror.commitPage(page(but('2026-11-18'), { extent: 'listed' }));
      expect(await sql('select revision, seen, superseded from fx_daily_superseded')).toEqual([
        { revision: 1, seen: 1, superseded: 2 },
        { revision: 2, seen: 3, superseded: 4 },
      ]);
    });

    test('may stand on the next page when it shares its first key column with an outermost row', async () => {
      const { mirror } = await fresh();
      const event = (time: number, id: string) =>
        `{"announcement_datetime":${time},"calendar_event_id":"${id}","release":"x"}`;
      const commit = (rows: readonly string[], extent: 'adds' | 'listed') =>
        mirror.commitPage(page(rows, { series: CALENDAR, extent }));
      await commit([event(1, 'a'), event(1, 'c'), event(2, 'a'), event(2, 'b'), event(3, 'a'), event(3, 'z')], 'adds');
      const report = await commit([event(1, 'c'), event(2, 'b'), event(3, 'a')], 'listed');
      expect(report.vanished).toBe(1);
      expect((await texts(mirror, CALENDAR)).length).toBe(5);
    });

    test('vanishes in a window of UTC days over a column of instants', async () => {
      const { mirror } = await fresh();
      const event = (time: number) => `{"announcement_datetime":${time},"calendar_event_id":"x","release":"x"}`;
      // 1795219200 is 2026-11-21T00:00:00Z.
      const times = [1795219199, 1795219200, 1795305599, 1795305600];
      await mirror.commitPage(page(times.map(event), { series: CALENDAR }));
      const window = { from: '2026-11-21', to: '2026-11-21' };
      await mirror.commitPage(page([], { series: CALENDAR, extent: 'replaces', window }));
      const rows = await mirror.rows(await held(mirror, CALENDAR), {});
      expect(rows.map((one) => one.key[0])).toEqual([1795219199, 1795305600]);
    });
  });

  test('a series loses no rows to an answer about another series', async () => {
    const { mirror } = await filled();
    const gbp = { ...EURUSD, scope: { base: 'GBP', quote: 'USD' } };
    await mirror.commitPage(page([rate('2026-11-20', 2)], { series: gbp, extent: 'replaces' }));
    await mirror.commitPage(page([], { series: gbp, extent: 'replaces' }));
    expect(await texts(mirror)).toEqual(all);
  });
}
