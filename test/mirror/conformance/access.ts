import { describe, expect, test } from 'vitest';
import { type FreshMirror, held, INFLATION, MIDNIGHT, page, texts } from '../support.ts';

/** What answers with and without a key may say of each other. */
export function accessOf(fresh: FreshMirror): void {
  const released = (date: string, val: number, time: number) =>
    `{"date":"${date}","val":${val},"announcement_datetime":${time}}`;
  const keyless = { series: INFLATION, access: 'keyless' } as const;
  const keyed = { series: INFLATION, access: 'key:1' } as const;

  describe('a keyless answer', () => {
    test('never takes away what an answer to a key brought', async () => {
      const { mirror } = await fresh();
      const rows = [released('2026-10-31', 3, 300), released('2026-09-30', 2, 200), released('2026-08-31', 1, 100)];
      await mirror.commitPage(page(rows, keyed));
      const report = await mirror.commitPage(page([rows[2] ?? ''], { ...keyless, extent: 'replaces' }));
      expect(report).toEqual({ commit: 1, added: 0, revised: 0, vanished: 0, unchanged: 1, heldBack: true });
      expect(await texts(mirror, INFLATION)).toEqual(rows);
    });

    test('never replaces what an answer to a key brought, not even in dependent fields', async () => {
      const { mirror } = await fresh();
      const full = '{"date":"2026-10-31","val":3,"announcement_datetime":300,"previous_value":2}';
      await mirror.commitPage(page([full], keyed));
      const older = released('2026-10-31', 2.9, 300);
      const bare = released('2026-10-31', 3, 300);
      expect((await mirror.commitPage(page([older], keyless))).revised).toBe(0);
      expect((await mirror.commitPage(page([bare], keyless))).commit).toBe(1);
      expect(await texts(mirror, INFLATION)).toEqual([full]);
    });

    test('replaces it when its release, or its newest vintage, is later', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page([released('2026-10-31', 3, 300)], keyed));
      expect((await mirror.commitPage(page([released('2026-10-31', 3.1, 301)], keyless))).revised).toBe(1);
      const revised = (epoch: number, val: number) =>
        `{"date":"2026-10-31","val":${val},"announcement_datetime":301,"revisions":[{"epoch":${epoch},"val":${val}}]}`;
      await mirror.commitPage(page([revised(400, 3.2)], keyed));
      expect((await mirror.commitPage(page([revised(400, 3.3)], keyless))).revised).toBe(0);
      expect((await mirror.commitPage(page([revised(401, 3.3)], keyless))).revised).toBe(1);
    });

    test('does replace and take away what keyless answers brought', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page([released('2026-10-31', 3, 300), released('2026-09-30', 2, 200)], keyless));
      const report = await mirror.commitPage(
        page([released('2026-10-31', 3.1, 300)], { ...keyless, extent: 'replaces' }),
      );
      expect(report).toEqual({ commit: 2, added: 0, revised: 1, vanished: 1, unchanged: 0 });
    });

    test('cannot take away a row once an answer to a key has confirmed it', async () => {
      const { mirror, sql } = await fresh();
      const rows = [released('2026-10-31', 3, 300)];
      await mirror.commitPage(page(rows, keyless));
      expect((await mirror.commitPage(page(rows, keyed))).commit).toBe(1);
      expect((await mirror.commitPage(page([], { ...keyless, extent: 'replaces' }))).vanished).toBe(0);
      expect(await sql('select keyed from announcements')).toEqual([{ keyed: 1 }]);
    });
  });

  describe('which of two answers is newer', () => {
    test('is told by the capture of a row that lists no vintages', async () => {
      const { mirror } = await fresh();
      const captured = (val: number, ns: string) =>
        `{"date":"2026-10-31","val":${val},"announcement_datetime":300,"observed_at_ns_string":"${ns}"}`;
      await mirror.commitPage(page([captured(3, '400000000001')], keyed));
      expect((await mirror.commitPage(page([captured(4, '400000000001')], keyless))).revised).toBe(0);
      expect((await mirror.commitPage(page([captured(4, '400000000002')], keyless))).revised).toBe(1);
    });

    test('is told by the release of the newest value in a list of newest values', async () => {
      const { mirror } = await fresh();
      const series = { ...INFLATION, endpoint: 'announcements_latest', scope: { currency: 'USD' } };
      const entry = (val: number, time: number) =>
        `{"indicator":"inflation","latest":{"date":"2026-10-31","val":${val},"announcement_datetime":${time}}}`;
      await mirror.commitPage(page([entry(3, 300)], { ...keyed, series }));
      expect((await mirror.commitPage(page([entry(4, 300)], { ...keyless, series }))).revised).toBe(0);
      expect((await mirror.commitPage(page([entry(4, 301)], { ...keyless, series }))).revised).toBe(1);
    });
  });

  test('a document that is proven whole is confirmed by every answer', async () => {
    const { mirror } = await fresh();
    const series = { ...INFLATION, endpoint: 'announcements_latest', scope: { currency: 'USD' } };
    const take = (at: number) =>
      mirror.commitPage(
        page(['{"indicator":"inflation"}'], { series, extent: 'replaces', covered: { from: '', to: '', rows: 1 }, at }),
      );
    await take(MIDNIGHT);
    await take(MIDNIGHT + 1000);
    expect((await held(mirror, series)).checkedAt).toBe(MIDNIGHT + 1000);
  });

  describe('a keyless page of which rows are held back', () => {
    const rows = [released('2026-10-31', 3, 300), released('2026-09-30', 2, 200)] as const;
    const older = [released('2026-10-31', 2.9, 300), rows[1]] as const;
    const later = { ...keyless, at: MIDNIGHT + 1000, etag: 'W/"1"' };
    const covered = { from: '2026-09-01', to: '2026-11-21', rows: 2 };

    test.each([
      ['another value', { extent: 'listed' }, older],
      ['a row that it lacks', { extent: 'replaces' }, [rows[1]]],
    ] as const)('(%s) confirms and proves nothing, and no validator speaks for it', async (_, more, said) => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(rows, keyed));
      await mirror.commitPage(page(said, { ...later, ...more, covered }));
      const series = await held(mirror, INFLATION);
      expect(series.checkedAt).toBe(MIDNIGHT);
      expect(await mirror.coveredRanges(series, 'keyless')).toEqual([]);
      expect(await mirror.validator('keyless', 'forex EUR USD')).toBeUndefined();
      expect(await texts(mirror, INFLATION)).toEqual(rows);
    });

    test('takes the proof from the walk that it belongs to, and from no other', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(rows, keyed));
      const walk = (startedAt: number) => ({
        question: 'q',
        from: covered.from,
        to: covered.to,
        next: '1',
        total: 2,
        seen: 1,
        lastKey: ['2026-10-31'],
        seams: [],
        startedAt,
      });
      const pages = async (first: string, startedAt: number) => {
        await mirror.commitPage(page([first], { ...later, walk: walk(startedAt) }));
        expect(await mirror.walk(INFLATION, 'keyless')).toEqual(walk(startedAt));
        await mirror.commitPage(page([rows[1]], { ...later, walk: null, covered }));
        return mirror.coveredRanges(await held(mirror, INFLATION), 'keyless');
      };
      expect(await pages(older[0], 1)).toEqual([]);
      expect(await pages(rows[0], 2)).toEqual([{ ...covered, checkedAt: MIDNIGHT + 1000, newest: '2026-10-31' }]);
    });

    test('confirms as ever where only what depends on the question differs', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(['{"date":"2026-10-31","val":3,"previous_value":2}'], keyed));
      await mirror.commitPage(page(['{"date":"2026-10-31","val":3}'], { ...later, covered }));
      const series = await held(mirror, INFLATION);
      expect([series.checkedAt, await mirror.coveredRanges(series, 'keyless')]).toEqual([
        MIDNIGHT + 1000,
        [{ ...covered, checkedAt: MIDNIGHT + 1000, newest: '2026-10-31' }],
      ]);
    });
  });

  test('an answer to a key replaces and takes away what any answer brought', async () => {
    const { mirror } = await fresh();
    await mirror.commitPage(page([released('2026-10-31', 3, 300), released('2026-09-30', 2, 200)], keyless));
    const report = await mirror.commitPage(
      page([released('2026-10-31', 2.9, 299)], { ...keyed, access: 'key:2', extent: 'replaces' }),
    );
    expect(report).toEqual({ commit: 2, added: 0, revised: 1, vanished: 1, unchanged: 0 });
  });
}
