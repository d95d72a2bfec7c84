import { describe, expect, test } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { dateWindow, integerColumn, type Mapping, textField } from '../../../src/contract/mapping.ts';
import { CALENDAR, EURUSD, type FreshMirror, held, MIDNIGHT, page, rate, row, SERVICE, texts } from '../support.ts';

/** Committing answers: what is stored, what counts as the same, as revised and as refreshed. */
export function commitOf(fresh: FreshMirror): void {
  const HOUR = 3_600_000;

  describe('a first commit', () => {
    test('stores rows, series, envelope and the commit itself', async () => {
      const { mirror, sql } = await fresh();
      const envelope = { text: asJsonText('{"base":"EUR","quote":"USD"}'), inputs: 'all of it' };
      const report = await mirror.commitPage(
        page([rate('2026-11-20', '1.1500'), rate('2026-11-19', 1.16)], { envelope }),
      );
      expect(report).toEqual({ commit: 1, added: 2, revised: 0, vanished: 0, unchanged: 0 });
      const series = await held(mirror);
      expect(series).toEqual({
        id: 1,
        ...EURUSD,
        state: expect.stringMatching(/^[0-9a-f]{64}$/),
        chain: expect.stringMatching(new RegExp(`^${MIDNIGHT} [0-9a-f]{32}$`)),
        envelope: { ...envelope, rows: series.state.slice(0, 32) },
        checkedAt: MIDNIGHT,
      });
      expect(await mirror.rows(series, {})).toEqual([
        {
          key: ['2026-11-20'],
          columns: { date: '2026-11-20', val: 1.15, open: null, high: null, low: null, close: null },
          text: '{"date":"2026-11-20","val":1.1500}',
          commit: 1,
          seenAt: MIDNIGHT,
          keyed: true,
        },
        {
          key: ['2026-11-19'],
          columns: { date: '2026-11-19', val: 1.16, open: null, high: null, low: null, close: null },
          text: '{"date":"2026-11-19","val":1.16}',
          commit: 1,
          seenAt: MIDNIGHT,
          keyed: true,
        },
      ]);
      expect(await sql('select * from commits')).toEqual([
        {
          number: 1,
          at: MIDNIGHT,
          series: 1,
          access: 'key:1',
          request: 'GET /v1/forex/EUR/USD',
          added: 2,
          revised: 0,
          vanished: 0,
          unchanged: 0,
        },
      ]);
    });

    test('knows a row again whose key is no whole text', async () => {
      const { mirror } = await fresh();
      const half = (val: number) => page([`{"date":"\\ud800","val":${val}}`]);
      expect(await mirror.commitPage(half(1))).toMatchObject({ added: 1 });
      expect(await mirror.commitPage(half(1))).toMatchObject({ added: 0, unchanged: 1 });
      expect(await mirror.commitPage(half(2))).toMatchObject({ added: 0, revised: 1 });
      expect(await mirror.commitPage({ ...half(2), extent: 'replaces' })).toMatchObject({ unchanged: 1, vanished: 0 });
      expect((await mirror.verify()).findings).toEqual([]);
    });

    test('of an answer without rows makes the series known: held and empty is not absent', async () => {
      const { mirror } = await fresh();
      expect(await mirror.find({ endpoint: 'forex', scope: EURUSD.scope })).toEqual([]);
      await mirror.commitPage(page([]));
      expect((await held(mirror)).state).toBe('0'.repeat(32));
      expect(await texts(mirror)).toEqual([]);
    });
  });

  describe('the same answer again', () => {
    test('adds nothing and records nothing, but moves the freshness', async () => {
      const { mirror, sql } = await fresh();
      const rows = [rate('2026-11-20', 1.15), rate('2026-11-19', 1.16)];
      const envelope = { text: asJsonText('{"base":"EUR"}'), inputs: 'all of it' };
      await mirror.commitPage(page(rows, { envelope }));
      const before = await held(mirror);
      const report = await mirror.commitPage(page(rows, { envelope, at: MIDNIGHT + HOUR }));
      expect(report).toEqual({ commit: 1, added: 0, revised: 0, vanished: 0, unchanged: 2 });
      expect(await held(mirror)).toEqual({ ...before, checkedAt: MIDNIGHT + HOUR });
      expect(await sql('select count(*) as n from commits')).toEqual([{ n: 1 }]);
      expect(await sql('select count(*) as n from fx_daily_superseded')).toEqual([{ n: 0 }]);
    });

    test('is the same in another key order, spacing and number spelling: the first text stays', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(['{"date":"2026-11-20","val":1.50}']));
      const report = await mirror.commitPage(page(['{ "val": 1.5, "date": "2026-11-20" }']));
      expect(report).toEqual({ commit: 1, added: 0, revised: 0, vanished: 0, unchanged: 1 });
      expect(await texts(mirror)).toEqual(['{"date":"2026-11-20","val":1.50}']);
    });
  });

  describe('a changed row', () => {
    test('is a revision: the old one is kept with the commits that brought and ended it', async () => {
      const { mirror, sql } = await fresh();
      await mirror.commitPage(page([rate('2026-11-20', 1.15), rate('2026-11-19', 1.16)]));
      const second = await mirror.commitPage(page([rate('2026-11-20', 1.17)], { at: MIDNIGHT + HOUR }));
      const third = await mirror.commitPage(page([rate('2026-11-20', 1.18)], { at: MIDNIGHT + 2 * HOUR }));
      expect([second, third]).toEqual([
        { commit: 2, added: 0, revised: 1, vanished: 0, unchanged: 0 },
        { commit: 3, added: 0, revised: 1, vanished: 0, unchanged: 0 },
      ]);
      const rows = await mirror.rows(await held(mirror), {});
      expect(rows.map(({ text, commit, seenAt }) => ({ text, commit, seenAt }))).toEqual([
        { text: rate('2026-11-20', 1.18), commit: 3, seenAt: MIDNIGHT + 2 * HOUR },
        { text: rate('2026-11-19', 1.16), commit: 1, seenAt: MIDNIGHT },
      ]);
      const history = `select s.revision, s.val, v.row as text, a.at as first_seen_at, b.at as superseded_at
      from fx_daily_superseded s join v_fx_superseded v on v.date = s.date and v.revision = s.revision
      join commits a on a.number = s.seen join commits b on b.number = s.superseded order by s.revision`;
      expect(await sql(history)).toEqual([
        {
          revision: 1,
          val: 1.15,
          text: rate('2026-11-20', 1.15),
          first_seen_at: MIDNIGHT,
          superseded_at: MIDNIGHT + HOUR,
        },
        {
          revision: 2,
          val: 1.17,
          text: rate('2026-11-20', 1.17),
          first_seen_at: MIDNIGHT + HOUR,
          superseded_at: MIDNIGHT + 2 * HOUR,
        },
      ]);
    });

    test('only in fields that depend on the question refreshes the text, keeps its first sight and is no revision', async () => {
      const { mirror, sql } = await fresh();
      await mirror.commitPage(page(['{"date":"2026-11-20","val":1.15,"sma_20":null}']));
      const before = await held(mirror);
      const report = await mirror.commitPage(
        page(['{"date":"2026-11-20","val":1.15,"sma_20":1.149}'], { at: MIDNIGHT + HOUR }),
      );
      expect(report).toEqual({ commit: 2, added: 0, revised: 0, vanished: 0, unchanged: 1 });
      const series = await held(mirror);
      expect(series.state).not.toBe(before.state);
      const [only] = await mirror.rows(series, {});
      expect(only).toMatchObject({
        text: '{"date":"2026-11-20","val":1.15,"sma_20":1.149}',
        commit: 2,
        seenAt: MIDNIGHT,
      });
      expect(await sql('select * from fx_daily_superseded')).toEqual([]);
    });

    test('that appears or disappears in a field is a revision too', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page([rate('2026-11-20', 1.15)]));
      expect((await mirror.commitPage(page(['{"date":"2026-11-20","val":1.15,"new":null}']))).revised).toBe(1);
      expect((await mirror.commitPage(page([rate('2026-11-20', 1.15)]))).revised).toBe(1);
    });
  });

  describe('what is kept', () => {
    test('is the text byte for byte: number spelling, unknown fields, escapes and members called __proto__', async () => {
      const { mirror, sql } = await fresh();
      const odd =
        '{ "date":"2026-11-20", "val":159075000.0,"big":12345678901234567890.10,"__proto__":{"polluted":1},' +
        '"constructor":[1e2],"nothing":null,"text":"\\u00e9\\/é\u{1F600}" }';
      await mirror.commitPage(page([odd]));
      expect(await texts(mirror)).toEqual([odd]);
      const changed = odd.replace('{"polluted":1}', '{"polluted":2}');
      expect((await mirror.commitPage(page([changed]))).revised).toBe(1);
      expect(await texts(mirror)).toEqual([changed]);
      expect(await sql('select text from fx_daily_superseded')).toEqual([{ text: odd }]);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    });

    test('is nothing of an answer with a row that has no key', async () => {
      const { mirror } = await fresh();
      for (const broken of ['{"val":1}', '{"date":null,"val":1}', '{"date":{},"val":1}'])
        await expect(mirror.commitPage(page([rate('2026-11-20', 1), broken]))).rejects.toMatchObject({
          kind: 'protocol',
          code: 'row_without_key',
          message: "A row of forex came without a usable 'date'.",
        });
      expect(await mirror.find({ endpoint: 'forex', scope: {} })).toEqual([]);
    });

    test('is nothing of an answer with two different rows for one key; the same row twice counts once', async () => {
      const { mirror } = await fresh();
      const twice = mirror.commitPage(page([rate('2026-11-20', 1), rate('2026-11-20', 2)]));
      await expect(twice).rejects.toMatchObject({ kind: 'protocol', code: 'row_twice' });
      const report = await mirror.commitPage(page([rate('2026-11-20', 1), rate('2026-11-20', 1)]));
      expect(report.added).toBe(1);
    });

    test('is no row from outside the asked window', async () => {
      const { mirror } = await fresh();
      const rows = [rate('2026-11-20', 1), rate('2025-01-02', 2), rate('2026-11-01', 3)];
      await mirror.commitPage(page(rows, { window: { from: '2026-11-01', to: '2026-11-30' } }));
      expect(await texts(mirror)).toEqual([rate('2026-11-20', 1), rate('2026-11-01', 3)]);
    });

    test('is an instant as Unix seconds, whether it came as a number or as an ISO date-time', async () => {
      const { mirror } = await fresh();
      const event = (time: string, id: string) =>
        `{"announcement_datetime":${time},"calendar_event_id":"${id}","release":"inflation"}`;
      await mirror.commitPage(
        page([event('"2026-11-13T08:30:00-05:00"', 'a'), event('1794576601', 'b')], { series: CALENDAR }),
      );
      const rows = await mirror.rows(await held(mirror, CALENDAR), {});
      // 2026-11-13T13:30:00Z is 1794576600, by the example of the announcements answer.
      expect(rows.map((one) => one.key)).toEqual([
        [1794576600, 'a'],
        [1794576601, 'b'],
      ]);
    });

    test('is the name of a member as the key, in a body that is a map', async () => {
      const { mirror } = await fresh();
      const series = { origin: SERVICE, endpoint: 'data_catalogue', scope: { currency: 'USD' } };
      const rows = [row('{"name":"Inflation"}', { name: 'inflation' }), row('{"name":"Jobs"}', { name: '__proto__' })];
      await mirror.commitPage(page(rows, { series, extent: 'replaces' }));
      const stored = await mirror.rows(await held(mirror, series), {});
      expect(stored.map((one) => [one.key, one.text])).toEqual([
        [['__proto__'], '{"name":"Jobs"}'],
        [['inflation'], '{"name":"Inflation"}'],
      ]);
    });

    test('is null in a typed column whose value has another type; the text has it', async () => {
      const mapping: Mapping = {
        table: 'odd',
        scope: [],
        key: [textField('date')],
        order: 'newest',
        columns: [integerColumn('count'), { name: 'val', type: 'real' }, textField('word')],
        window: dateWindow(),
        sync: { kind: 'sequence' },
      };
      const { mirror } = await fresh({ odd: mapping });
      const series = { origin: SERVICE, endpoint: 'odd', scope: {} };
      const values = ['{"date":"a","count":"x","val":[1],"word":7}', '{"date":"b","count":2.9,"val":"1.5","word":{}}'];
      await mirror.commitPage(page(values, { series }));
      const rows = await mirror.rows(await held(mirror, series), {});
      expect(rows.map((one) => one.columns)).toEqual([
        { date: 'b', count: 2, val: 1.5, word: null },
        { date: 'a', count: null, val: null, word: '7' },
      ]);
    });
  });

  describe('time', () => {
    test('of commits never runs backwards, whatever the clock does; freshness follows the clock', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page([rate('2026-11-19', 1)]));
      await mirror.commitPage(page([rate('2026-11-20', 2)], { at: MIDNIGHT - HOUR }));
      const series = await held(mirror);
      const rows = await mirror.rows(series, {});
      expect(rows.map(({ commit, seenAt }) => ({ commit, seenAt }))).toEqual([
        { commit: 2, seenAt: MIDNIGHT },
        { commit: 1, seenAt: MIDNIGHT },
      ]);
      expect(series.checkedAt).toBe(MIDNIGHT - HOUR);
    });
  });
}
