import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cutBody, listAt } from '../../../src/contract/json/body.ts';
import type { Vintage } from '../../../src/mirror/api/series.ts';
import { EURUSD, type FreshMirror, held, INFLATION, MIDNIGHT, page, rate, row } from '../support.ts';

/** What replays a vintage has a law of its own, that of one instant. */
const withoutTimes = ({ times: _, ...told }: Vintage) => told;

/** Vintages that rows list, and our own. */
export function vintagesOf(fresh: FreshMirror): void {
  const T0 = MIDNIGHT / 1000;
  const key = ['2026-10-31'];
  /** A row that lists vintages, as texts. */
  const listing = (val: number, vintages: readonly string[], release = 1794576600) =>
    `{"date":"2026-10-31","val":${val},"announcement_datetime":${release},"revisions":[${vintages.join(',')}]}`;
  const series = INFLATION;

  async function heldAfter(...answers: readonly (readonly string[])[]) {
    const made = await fresh();
    for (const [i, rows] of answers.entries())
      await made.mirror.commitPage(page(rows, { series, extent: 'replaces', at: MIDNIGHT + i * 60_000 }));
    const read = async () => (await made.mirror.vintages(await held(made.mirror, series), key)).map(withoutTimes);
    return { ...made, read };
  }

  describe('listed vintages', () => {
    const first = '{"epoch":1794576600,"val":3.00,"is_first_release":true}';
    const second =
      '{"epoch":1797168600,"val":3.1,"observed_at_ns":1797168600674741407,"observed_at_ns_string":"1797168600674741407"}';

    test('are kept with their times and their own text, oldest first', async () => {
      const { read } = await heldAfter([listing(3.1, [second, first])]);
      expect(await read()).toStrictEqual([
        { key, epoch: 1794576600, observedAt: undefined, seenAt: T0, text: first },
        {
          key,
          epoch: 1797168600,
          observedAt: 1797168600.6747415,
          observedNs: '1797168600674741407',
          seenAt: T0,
          text: second,
        },
      ]);
    });

    test('are kept once, however often they come and however they are spelled', async () => {
      const { read, sql } = await heldAfter(
        [listing(3, [first])],
        [listing(3, [first, first.replace('3.00', '3')])],
        [listing(3.1, [first, second])],
        [listing(3.1, [first, second])],
      );
      expect((await read()).map(({ epoch, seenAt }) => [epoch, seenAt])).toEqual([
        [1794576600, T0],
        [1797168600, T0 + 120],
      ]);
      expect(await sql('select count(*) as n from announcements_vintages')).toEqual([{ n: 2 }]);
    });

    test('without a time of publication differ by the nanosecond of their capture, read from the digits', async () => {
      const captures = ['1789129806674741407', '1789129806674741408'].map((ns) => `{"val":3.4,"observed_at_ns":${ns}}`);
      const { read, sql } = await heldAfter([listing(3.4, captures)]);
      expect((await read()).map((one) => one.observedNs)).toEqual(['1789129806674741407', '1789129806674741408']);
      expect(
        await sql('select cast(observed_ns as text) as ns, epoch from announcements_vintages order by known'),
      ).toEqual([
        { ns: '1789129806674741407', epoch: null },
        { ns: '1789129806674741408', epoch: null },
      ]);
    });

    test('of one moment with two values are two', async () => {
      const { read } = await heldAfter([
        listing(3.1, ['{"epoch":1794576600,"val":3}', '{"epoch":1794576600,"val":3.1}']),
      ]);
      expect(await read()).toHaveLength(2);
    });

    test('that are no objects, or say no time, break nothing', async () => {
      const { read } = await heldAfter([
        listing(3.1, ['null', '{"val":3.1}', '{"val":2,"epoch":"soon","observed_at_ns":1e400}']),
      ]);
      expect((await read()).map(({ epoch, observedAt, seenAt }) => ({ epoch, observedAt, seenAt }))).toEqual([
        { epoch: undefined, observedAt: undefined, seenAt: T0 },
        { epoch: undefined, observedAt: undefined, seenAt: T0 },
      ]);
    });
  });

  describe('our own vintages', () => {
    test('a row without listed ones is known from its release', async () => {
      const text = '{"date":"2026-10-31","val":3,"announcement_datetime":1794576600}';
      const { read } = await heldAfter([text]);
      expect(await read()).toStrictEqual([{ key, epoch: 1794576600, observedAt: undefined, seenAt: T0, text }]);
    });

    test('a changed value is known from our first sight of it, and the release stays with the first value', async () => {
      const text = (val: number) => `{"date":"2026-10-31","val":${val},"announcement_datetime":1794576600}`;
      const { read } = await heldAfter([text(3)], [text(3.1)]);
      expect(await read()).toStrictEqual([
        { key, epoch: 1794576600, observedAt: undefined, seenAt: T0, text: text(3) },
        { key, epoch: undefined, observedAt: undefined, seenAt: T0 + 60, text: text(3.1) },
      ]);
    });

    test('a value that changed without a vintage of its own is one; a change of other fields is not', async () => {
      const first = '{"epoch":1794576600,"val":3}';
      const renamed = listing(3, [first]).replace('"date"', '"source":"BLS","date"');
      const { read } = await heldAfter([listing(3, [first])], [renamed], [listing(3.2, [first])]);
      expect(await read()).toStrictEqual([
        { key, epoch: 1794576600, observedAt: undefined, seenAt: T0, text: first },
        { key, epoch: undefined, observedAt: undefined, seenAt: T0 + 120, text: listing(3.2, [first]) },
      ]);
    });

    test('a row that vanished ends with its newest vintage; one that comes back is known again', async () => {
      const text = '{"date":"2026-10-31","val":3,"announcement_datetime":1794576600}';
      const { read } = await heldAfter([text], [], [text]);
      expect(await read()).toStrictEqual([
        { key, epoch: 1794576600, observedAt: undefined, seenAt: T0, text, withdrawnAt: T0 + 60 },
        // Its release was that of the first value; nobody could read the row while it was gone.
        { key, epoch: undefined, observedAt: undefined, seenAt: T0 + 120, text },
      ]);
    });

    test('are had by endpoints whose rows list none, with the publication rule of an importer', async () => {
      const { mirror } = await fresh();
      const published = row(rate('2026-11-20', 1.15), { assumedRelease: 1795186800 });
      await mirror.commitPage(page([published]));
      await mirror.commitPage(page([rate('2026-11-20', 1.16), rate('2026-11-19', 1)], { at: MIDNIGHT + 60_000 }));
      const all = await mirror.vintages(await held(mirror, EURUSD), []);
      expect(all.map(withoutTimes)).toStrictEqual([
        { key: ['2026-11-19'], epoch: undefined, observedAt: undefined, seenAt: T0 + 60, text: rate('2026-11-19', 1) },
        {
          key: ['2026-11-20'],
          epoch: 1795186800,
          observedAt: undefined,
          seenAt: T0,
          text: rate('2026-11-20', 1.15),
          assumed: true,
        },
        {
          key: ['2026-11-20'],
          epoch: undefined,
          observedAt: undefined,
          seenAt: T0 + 60,
          text: rate('2026-11-20', 1.16),
        },
      ]);
    });
  });

  test('vintages are asked for from a date on, those of rows that are gone too', async () => {
    const { mirror } = await fresh();
    const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
    await mirror.commitPage(page(days.map((day) => rate(day, 1))));
    await mirror.commitPage(page([rate('2026-11-20', 2)], { extent: 'replaces', at: MIDNIGHT + 60_000 }));
    const found = await mirror.vintages(await held(mirror, EURUSD), [], { from: '2026-11-19' });
    expect(found.map(({ key: [day], withdrawnAt, text }) => [day, withdrawnAt, text])).toEqual([
      ['2026-11-19', T0 + 60, rate('2026-11-19', 1)],
      ['2026-11-20', undefined, rate('2026-11-20', 1)],
      ['2026-11-20', undefined, rate('2026-11-20', 2)],
    ]);
    const one = await mirror.vintages(await held(mirror, EURUSD), [], { from: '2026-11-19', to: '2026-11-19' });
    expect(one).toEqual(found.slice(0, 1));
    expect(await mirror.vintages(await held(mirror, EURUSD), [], { to: '2026-11-17' })).toEqual([]);
  });

  const recorded = '../shared/fixtures/recorded/probe/announcements_usd_inflation_limit3.json';

  test('a real answer keeps all of its vintages, exact to the nanosecond', async ({ skip }) => {
    let body = '';
    try {
      body = readFileSync(recorded, 'utf8');
    } catch {
      skip('the recorded answers are not here');
    }
    const { mirror } = await fresh();
    const cut = cutBody(listAt(), body);
    await mirror.commitPage(page(cut.rows, { series }));
    const found = await mirror.vintages(await held(mirror, series), ['2026-08-31']);
    const expected = JSON.parse(body).data[0].revisions.map(
      (one: { observed_at_ns_string: string }) => one.observed_at_ns_string,
    );
    expect(new Set(found.map((one) => one.observedNs))).toEqual(new Set(expected));
    expect(found.filter((one) => one.epoch !== undefined)).toHaveLength(1);
  });
}
