import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import type { Availability } from '../../../src/contract/time/moments.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { NewRow } from '../../../src/mirror/api/page-commit.ts';
import type { Selection, SeriesKey, StoredRow } from '../../../src/mirror/api/series.ts';
import { EURUSD, held, INFLATION, MIDNIGHT, page, rate, row, SERVICE } from '../support.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const COT: SeriesKey = { origin: SERVICE, endpoint: 'cot', scope: { currency: 'EUR', report: 'legacy_futures' } };

/** 2026-11-13T13:30:00Z and 2026-12-13T13:30:00Z in Unix seconds: before and after midnight of 21 November. */
const RELEASED = 1_794_576_600;
const REVISED = 1_797_168_600;

interface Told {
  readonly series?: SeriesKey;
  /** Milliseconds between two answers. */
  readonly every?: number;
}

/** Answers that say everything there is, one after the other from midnight on. */
async function heldAfter(
  open: () => Promise<Mirror>,
  answers: readonly (readonly (string | NewRow)[])[],
  told: Told = {},
) {
  const { series = EURUSD, every = MINUTE } = told;
  const mirror = await open();
  for (const [i, rows] of answers.entries())
    await mirror.commitPage(page(rows, { series, extent: 'replaces', at: MIDNIGHT + i * every }));
  const rows = async (at: number, by: Availability, more: Selection = {}, limits?: { limit: number; offset: number }) =>
    mirror.rows(await held(mirror, series), { ...more, asOf: { at, by } }, limits);
  const texts = async (at: number, by: Availability, more: Selection = {}) =>
    (await rows(at, by, more)).map(({ text }) => text as string);
  const count = async (at: number, by: Availability, more: Selection = {}) =>
    mirror.count(await held(mirror, series), { ...more, asOf: { at, by } });
  const knows = async (at: number, by: Availability) =>
    (await mirror.knowledge(await held(mirror, series), { at, by })).tells;
  const vintages = async (at: number, by: Availability) =>
    mirror.vintages(await held(mirror, series), [], { asOf: { at, by } });
  return { mirror, rows, texts, count, knows, vintages };
}

/** Reads of rows as they were known at a moment. `open` makes a mirror. */
export function asOfOf(open: () => Promise<Mirror>): void {
  describe('to the mirror', () => {
    const [old, corrected, other] = [rate('2026-11-20', 1.15), rate('2026-11-20', 1.16), rate('2026-11-19', 1)];

    it('a row has the text that it had, from the commit that brought it to the one that ended it', async () => {
      const { texts } = await heldAfter(open, [[old], [corrected, other], [other]]);
      expect(await texts(MIDNIGHT - 1, 'mirrored')).toEqual([]);
      expect(await texts(MIDNIGHT, 'mirrored')).toEqual([old]);
      expect(await texts(MIDNIGHT + MINUTE - 1, 'mirrored')).toEqual([old]);
      expect(await texts(MIDNIGHT + MINUTE, 'mirrored')).toEqual([corrected, other]);
      expect(await texts(MIDNIGHT + 2 * MINUTE, 'mirrored')).toEqual([other]);
      expect(await texts(MIDNIGHT + DAY, 'mirrored')).toEqual([other]);
    });

    it('pages, counts and windows are those of then', async () => {
      const { rows, count, texts } = await heldAfter(open, [[old, other], [corrected], [corrected, other]]);
      const then = [MIDNIGHT, 'mirrored'] as const;
      expect((await rows(...then, {}, { limit: 1, offset: 1 })).map(({ text }) => text)).toEqual([other]);
      expect(await rows(...then, {}, { limit: 5, offset: 2 })).toEqual([]);
      expect(await rows(...then, {}, { limit: 0, offset: 0 })).toEqual([]);
      expect(await count(...then)).toBe(2);
      expect(await count(MIDNIGHT + MINUTE, 'mirrored')).toBe(1);
      expect(await texts(...then, { from: '2026-11-20' })).toEqual([old]);
      expect(await texts(...then, { where: { val: 1 } })).toEqual([other]);
      expect(await count(...then, { to: '2026-11-19', where: { val: 1.15 } })).toBe(0);
    });

    it('pages are read from either end, then and now', async () => {
      const { mirror, rows } = await heldAfter(open, [
        [old, other],
        [corrected, other],
      ]);
      const last = { limit: 1, offset: 0, reverse: true };
      expect((await rows(MIDNIGHT, 'mirrored', {}, last)).map(({ text }) => text)).toEqual([other]);
      expect((await rows(MIDNIGHT, 'mirrored', {}, { ...last, offset: 1 })).map(({ text }) => text)).toEqual([old]);
      const now = await mirror.rows(await held(mirror), {}, { ...last, limit: 2 });
      expect(now.map(({ text }) => text)).toEqual([other, corrected]);
    });

    it('columns are those of then', async () => {
      const { mirror } = await heldAfter(open, [[old, other], [corrected]]);
      const columns = async (at: number, by: Availability, more: Selection = {}) =>
        mirror.columns(await held(mirror), { ...more, asOf: { at, by } }, ['date', 'val', 'open']);
      const both = { date: ['2026-11-20', '2026-11-19'], val: [1.15, 1], open: undefined };
      expect(await columns(MIDNIGHT, 'mirrored')).toEqual(both);
      expect(await columns(MIDNIGHT, 'public')).toEqual(both);
      expect(await columns(MIDNIGHT + MINUTE, 'mirrored')).toMatchObject({ val: [1.16] });
      expect(await columns(MIDNIGHT, 'mirrored', { to: '2026-11-19' })).toMatchObject({ val: [1] });
    });

    it('texts are those of then', async () => {
      const { mirror } = await heldAfter(open, [[old, other], [corrected]]);
      const series = await held(mirror);
      const then = (at: number, by: Availability, more: Selection = {}) =>
        mirror.texts(series, { ...more, asOf: { at, by } });
      expect(await then(MIDNIGHT, 'mirrored')).toEqual([old, other]);
      expect(await then(MIDNIGHT, 'public')).toEqual([old, other]);
      expect(await then(MIDNIGHT + MINUTE, 'mirrored')).toEqual([corrected]);
      expect(await then(MIDNIGHT, 'mirrored', { to: '2026-11-19' })).toEqual([other]);
      expect(await mirror.texts(series, {})).toEqual([corrected]);
    });

    it('an answer stays what it was when later ones come', async () => {
      const { mirror, rows } = await heldAfter(open, [[old, other]]);
      const before = await rows(MIDNIGHT, 'mirrored');
      await mirror.commitPage(page([corrected], { extent: 'replaces', at: MIDNIGHT + 1 }));
      expect(await rows(MIDNIGHT, 'mirrored')).toEqual(before);
    });

    it('a text that was refreshed since says nothing of its neighbours', async () => {
      const print = (previous: number) => `{"date":"2026-10-31","val":3,"previous_value":${previous}}`;
      const { texts } = await heldAfter(open, [[print(2)], [print(2.5)]], { series: INFLATION });
      expect(await texts(MIDNIGHT, 'mirrored')).toEqual(['{"date":"2026-10-31","val":3}']);
      expect(await texts(MIDNIGHT + MINUTE, 'mirrored')).toEqual([print(2.5)]);
    });

    it('nothing is known of the time before the first answer', async () => {
      const { knows } = await heldAfter(open, [[old]]);
      expect([await knows(MIDNIGHT - 1, 'mirrored'), await knows(MIDNIGHT, 'mirrored')]).toEqual([false, true]);
    });
  });

  describe('to the public', () => {
    const weekly = (count: number, release: number | null = RELEASED) =>
      `{"date":"2026-11-10","announcement_datetime":${release},"open_interest":${count}}`;

    it('a first value counts from its release, a changed one from our sight of it', async () => {
      const { texts } = await heldAfter(open, [[weekly(1)], [weekly(2)]], { series: COT });
      expect(await texts(RELEASED * 1000 - 1, 'public')).toEqual([]);
      expect(await texts(RELEASED * 1000, 'public')).toEqual([weekly(1)]);
      expect(await texts(MIDNIGHT + MINUTE - 1, 'public')).toEqual([weekly(1)]);
      expect(await texts(MIDNIGHT + MINUTE, 'public')).toEqual([weekly(2)]);
    });

    it('a row that nobody dates counts from our sight of it and never by its own date', async () => {
      const { texts, knows } = await heldAfter(open, [[rate('2020-01-01', 1)]]);
      expect(await texts(MIDNIGHT - 1, 'public')).toEqual([]);
      expect(await texts(MIDNIGHT, 'public')).toEqual([rate('2020-01-01', 1)]);
      expect([await knows(MIDNIGHT - 1, 'public'), await knows(MIDNIGHT, 'public')]).toEqual([false, true]);
    });

    it("an importer's publication rule counts like a release", async () => {
      const published = row(rate('2026-11-12', 1.15), { assumedRelease: RELEASED });
      const { texts, knows } = await heldAfter(open, [[published], [rate('2026-11-12', 1.16)]]);
      expect(await texts(RELEASED * 1000 - 1, 'public')).toEqual([]);
      expect(await texts(RELEASED * 1000, 'public')).toEqual([rate('2026-11-12', 1.15)]);
      expect(await texts(MIDNIGHT + MINUTE, 'public')).toEqual([rate('2026-11-12', 1.16)]);
      // It was before everything that was published, which is knowledge too.
      expect(await knows(0, 'public')).toBe(true);
    });

    it('a row is not there before its release, however early we had it', async () => {
      const { texts } = await heldAfter(open, [[weekly(1, REVISED)], [weekly(2, REVISED)]], { series: COT });
      expect(await texts(REVISED * 1000 - 1, 'public')).toEqual([]);
      expect(await texts(REVISED * 1000, 'public')).toEqual([weekly(2, REVISED)]);
    });

    it('a row that vanished is gone since we saw it go, and back since we saw it come back', async () => {
      const { texts, count } = await heldAfter(open, [[weekly(1)], [], [weekly(1)]], { series: COT });
      const found = [];
      for (const at of [RELEASED * 1000, MIDNIGHT + MINUTE - 1, MIDNIGHT + MINUTE, MIDNIGHT + 2 * MINUTE])
        found.push([(await texts(at, 'public')).length, await count(at, 'public')]);
      expect(found).toEqual([
        [1, 1],
        [1, 1],
        [0, 0],
        [1, 1],
      ]);
    });
  });

  describe('where rows list their vintages', () => {
    const first = `{"epoch":${RELEASED},"val":3.00,"is_first_release":true,"vintage_status":"source_vintage"}`;
    const second = '{"val":3.1,"observed_at_ns":1794600000000000001,"observed_at_ns_string":"1794600000000000001"}';
    const print = (val: number, vintages: readonly string[], more = '') =>
      `{"date":"2026-10-31","val":${val},"announcement_datetime":${RELEASED},"vintage_status":"now","collected_at":1,"previous_value":9${more},"revisions":[${vintages.join(',')}]}`;
    const whole = print(3.1, [first, second]);
    const inBetween = (RELEASED + 60) * 1000;

    it('the value is the newest that was known, and its row says only what that vintage says', async () => {
      const { rows } = await heldAfter(open, [[whole]], { series: INFLATION });
      const [then] = await rows(inBetween, 'public');
      expect(then).toStrictEqual({
        key: ['2026-10-31'],
        columns: { date: '2026-10-31', val: 3, announcement_datetime: RELEASED, released: RELEASED },
        text: asJsonText(
          `{"date":"2026-10-31","val":3.00,"announcement_datetime":${RELEASED},"vintage_status":"source_vintage","revisions":[${first}]}`,
        ),
        commit: 1,
        seenAt: MIDNIGHT,
        keyed: true,
        known: { ns: `${RELEASED}000000000`, text: asJsonText(first), byRelease: false },
      } satisfies StoredRow);
    });

    it('a capture counts to the nanosecond', async () => {
      const { rows } = await heldAfter(open, [[whole]], { series: INFLATION });
      const vals = async (at: number) => (await rows(at, 'public')).map(({ columns }) => columns.val);
      expect([await vals(1_794_600_000_000), await vals(1_794_600_000_001)]).toEqual([[3], [3.1]]);
    });

    it('to the service only captures count, its own or, where it tells none, ours of its answer', async () => {
      const { rows, knows } = await heldAfter(open, [[whole]], { series: INFLATION });
      expect(await rows(inBetween, 'captured')).toEqual([]);
      expect((await rows(1_794_600_000_001, 'captured')).map(({ columns }) => columns.val)).toEqual([3.1]);
      expect([await knows(inBetween, 'captured'), await knows(1_794_600_000_001, 'captured')]).toEqual([false, true]);
    });

    it('a text of the time itself stands with all that it says', async () => {
      const { texts } = await heldAfter(open, [[print(3, [first])], [whole]], { series: INFLATION });
      expect(await texts(MIDNIGHT, 'mirrored')).toEqual([print(3, [first])]);
      expect(await texts(MIDNIGHT + MINUTE, 'public')).toEqual([whole]);
    });

    it('a text that came later is taken for a value that it shares, without what was not known yet', async () => {
      const later = `{"epoch":${REVISED},"val":3.1}`;
      const { texts } = await heldAfter(open, [[print(3.1, [first, second, later])]], { series: INFLATION });
      const left = print(3.1, [first, second]).replace(',"previous_value":9', '');
      expect(await texts(MIDNIGHT - 1, 'public')).toEqual([left]);
    });

    it('a value that changed without a time of its own counts from our sight of it', async () => {
      const { rows } = await heldAfter(open, [[print(3, [first])], [print(3.2, [first])]], { series: INFLATION });
      const vals = async (at: number) => (await rows(at, 'public')).map(({ columns }) => columns.val);
      expect([await vals(inBetween), await vals(MIDNIGHT), await vals(MIDNIGHT + MINUTE)]).toEqual([[3], [3], [3.2]]);
    });

    it('an entry that turns up late does not beat the value that the row still has', async () => {
      const late = `{"epoch":${RELEASED + 60},"val":2.9}`;
      const { rows } = await heldAfter(open, [[print(3, [first])], [print(3, [first, late])]], { series: INFLATION });
      const vals = async (at: number) => (await rows(at, 'public')).map(({ columns }) => columns.val);
      expect([await vals(inBetween - 1), await vals(inBetween)]).toEqual([[3], [2.9]]);
      // The mirror learnt of it a minute later, together with what the service took for the value.
      expect([await vals(MIDNIGHT), await vals(MIDNIGHT + MINUTE)]).toEqual([[2.9], [3]]);
    });

    it('a second value under one publication time was not public then', async () => {
      const same = first.replace('3.00', '3.3');
      const { rows } = await heldAfter(open, [[print(3, [first])], [print(3.3, [same])]], { series: INFLATION });
      const vals = async (at: number) => (await rows(at, 'public')).map(({ columns }) => columns.val);
      expect([await vals(MIDNIGHT), await vals(MIDNIGHT + MINUTE)]).toEqual([[3], [3.3]]);
    });

    it('vintages are those that were known, and a row had not vanished before it did', async () => {
      const { vintages } = await heldAfter(open, [[whole], []], { series: INFLATION });
      const known = async (at: number) =>
        (await vintages(at, 'public')).map(({ text, withdrawnAt }) => [text, withdrawnAt]);
      expect(await known(inBetween)).toEqual([[first, undefined]]);
      expect(await known(MIDNIGHT)).toEqual([
        [first, undefined],
        [second, undefined],
      ]);
      expect(await known(MIDNIGHT + MINUTE)).toEqual([
        [first, undefined],
        [second, MIDNIGHT / 1000 + 60],
      ]);
    });

    it('columns hold the values of then', async () => {
      const { mirror } = await heldAfter(open, [[whole]], { series: INFLATION });
      const of = await held(mirror, INFLATION);
      const asOf = { at: inBetween, by: 'public' } as const;
      expect(await mirror.columns(of, { asOf }, ['date', 'val'])).toEqual({ date: ['2026-10-31'], val: [3] });
    });

    it('pages are read from either end, each row with its own vintages', async () => {
      const september = whole.replace('2026-10-31', '2026-09-30').replace(second, second.replace('3.1', '7'));
      const { rows } = await heldAfter(open, [[whole, september.replace('"val":3.1', '"val":7')]], {
        series: INFLATION,
      });
      const read = async (limits: { limit: number; offset: number; reverse?: boolean }) =>
        (await rows(MIDNIGHT, 'public', {}, limits)).map(({ columns: { date, val } }) => [date, val]);
      expect(await read({ limit: 2, offset: 0 })).toEqual([
        ['2026-10-31', 3.1],
        ['2026-09-30', 7],
      ]);
      expect(await read({ limit: 1, offset: 0, reverse: true })).toEqual([['2026-09-30', 7]]);
      expect(await read({ limit: 1, offset: 1, reverse: true })).toEqual([['2026-10-31', 3.1]]);
    });

    it('pages and counts leave out what was not known, and the delay of a caller counts on top', async () => {
      const october = `{"date":"2026-09-30","val":1,"announcement_datetime":${RELEASED - 60},"revisions":[]}`;
      const { rows, count } = await heldAfter(open, [[whole, october]], { series: INFLATION });
      const then = [(RELEASED - 1) * 1000, 'public'] as const;
      expect((await rows(...then, {}, { limit: 1, offset: 0 })).map(({ key }) => key)).toEqual([['2026-09-30']]);
      expect([await count(...then), await count(inBetween, 'public')]).toEqual([1, 2]);
      expect(await count(inBetween, 'public', { releasedBy: RELEASED - 1 })).toBe(1);
    });
  });

  describe('between two moments', () => {
    const [old, corrected, other, new20] = [
      rate('2026-11-19', 1.15),
      rate('2026-11-19', 1.16),
      rate('2026-11-18', 1),
      rate('2026-11-20', 1.2),
    ];
    const moment = (at: number) => ({ at, by: 'mirrored' }) as const;

    it('rows were added, revised and withdrawn, and the others are not told', async () => {
      const same = rate('2026-11-17', 9);
      const { mirror } = await heldAfter(open, [
        [old, other, same],
        [new20, corrected, same],
      ]);
      const series = await held(mirror);
      const page = { from: moment(MIDNIGHT), to: moment(MIDNIGHT + MINUTE), limit: 9 };
      const told = async (more: { limit?: number; after?: readonly string[] } = {}) =>
        (await mirror.differences(series, { ...page, ...more })).map(({ key, before, after }) => [
          key[0],
          before?.text,
          after?.text,
        ]);
      const all = [
        ['2026-11-20', undefined, new20],
        ['2026-11-19', old, corrected],
        ['2026-11-18', other, undefined],
      ];
      expect(await told()).toEqual(all);
      expect(await told({ limit: 2 })).toEqual(all.slice(0, 2));
      expect(await told({ limit: 2, after: ['2026-11-19'] })).toEqual(all.slice(2));
      expect(await mirror.differences(series, { ...page, to: page.from })).toEqual([]);
    });

    it('what depends on neighbours is no difference', async () => {
      const print = (previous: number) => `{"date":"2026-10-31","val":3,"previous_value":${previous}}`;
      const { mirror } = await heldAfter(open, [[print(2)], [print(2.5)]], { series: INFLATION });
      const page = { from: moment(MIDNIGHT), to: moment(MIDNIGHT + MINUTE), limit: 9 };
      expect(await mirror.differences(await held(mirror, INFLATION), page)).toEqual([]);
    });
  });

  describe('the lineage of a row', () => {
    it('tells every text with the answers that brought and ended it, and since when each value was known', async () => {
      const [first, second] = [rate('2026-11-12', 1.15), rate('2026-11-12', 1.16)];
      const { mirror } = await heldAfter(open, [[row(first, { assumedRelease: RELEASED })], [second], []]);
      const commit = (number: number) => ({
        number,
        at: MIDNIGHT + (number - 1) * MINUTE,
        access: 'key:1',
        request: 'GET /v1/forex/EUR/USD',
      });
      const ns = (ms: number) => BigInt(ms) * 1_000_000n;
      const seen = ns(MIDNIGHT + MINUTE);
      expect(await mirror.lineage(await held(mirror), ['2026-11-12'])).toEqual({
        texts: [
          { text: first, brought: commit(1), ended: commit(2), wasReplaced: true },
          { text: second, brought: commit(2), ended: commit(3), wasReplaced: false },
        ],
        values: [
          {
            text: first,
            isListed: false,
            isAssumed: true,
            known: { public: ns(RELEASED * 1000), captured: ns(MIDNIGHT), mirrored: ns(MIDNIGHT) },
            brought: commit(1),
          },
          {
            text: second,
            isListed: false,
            isAssumed: false,
            known: { public: seen, captured: seen, mirrored: seen },
            brought: commit(2),
            withdrawnAt: MIDNIGHT + 2 * MINUTE,
          },
        ],
      });
      expect(await mirror.lineage(await held(mirror), ['2026-11-11'])).toEqual({ texts: [], values: [] });
    });
  });
}
