import { describe, expect, it } from 'vitest';
import { type AsOf, AVAILABILITIES } from '../../../src/contract/time/moments.ts';
import type { RowPage, StoredRow } from '../../../src/mirror/api/series.ts';
import { momentOf } from '../../../src/mirror/rules/as-of/past-row.ts';
import { rowThen } from '../../../src/mirror/rules/as-of/past-stored.ts';
import { commitsOfTimeline, seriesTimeline, timelineSelects } from '../../../src/mirror/rules/as-of/timeline.ts';
import type { UndoneDates } from '../../../src/mirror/rules/as-of/undone.ts';
import { captured, clock, DAY, EVENTS, entry, HOUR, owner, START, storedRow, TABLE, type Text } from './stored-row.ts';

/** A series of months, newest first: each stands for a way in which a row changes. */
const ROWS: readonly (readonly [Text, ...Text[]])[] = [
  // A release ahead, and one that an importer states.
  [{ seen: 6, val: 1, release: 9 * HOUR }],
  [{ seen: 6, val: 2, assumed: 3 * HOUR }],
  // Neighbours, a refresh, and captures that the rows themselves state.
  [{ seen: 1, refreshed: 4, val: 3, release: -DAY, more: { previous_value: 1 } }],
  [{ seen: 2, val: 4, more: { observed_at_ns_string: `${START + HOUR}000000001` } }],
  [
    { seen: 1, ended: 3, val: 5, release: -DAY },
    { seen: 3, ended: 4, val: 5, release: -DAY, more: { unit: '%' } },
    { seen: 5, val: 6, release: -DAY },
  ],
  // Lists: of then and of later, captured, disputed, read again.
  [{ seen: 2, val: 2, list: [entry(-DAY, 1), entry(7 * HOUR, 2), { val: 3, ...captured(8 * HOUR) }] }],
  [{ seen: 2, val: 2, list: [owner(-DAY, 1), owner(-DAY, 2)] }],
  [
    {
      seen: 2,
      val: 2,
      list: [entry(-DAY, 1), entry(-DAY, 2, { observed_at_ns_string: `${START + 5 * HOUR}250000001` })],
    },
  ],
  [
    { seen: 1, ended: 5, val: 1, list: [entry(-DAY, 1)] },
    { seen: 5, val: 1, list: [entry(-DAY, 1), entry(2 * HOUR, 3)] },
  ],
  [{ seen: 1, ended: 2, val: 7, list: [entry(-2 * DAY, 7)] }],
  // Never changed: a release between those that it lists, and a value that it lists nowhere.
  [{ seen: 3, refreshed: 6, val: 2, release: HOUR, list: [entry(-DAY, 1, captured(2 * HOUR)), entry(4 * HOUR, 2)] }],
  [{ seen: 3, val: 9, assumed: 8 * HOUR, list: [entry(-DAY, 1), entry(5 * HOUR, 2, captured(7 * HOUR))] }],
];

/** A series of which commits 2 to 4 were taken back by commit 5. */
const TAKEN_BACK: typeof ROWS = [
  [
    { seen: 1, ended: 2, val: 1, release: -DAY },
    { seen: 2, ended: 5, val: 2, release: -DAY },
    { seen: 5, val: 1, release: -DAY },
  ],
  [{ seen: 3, ended: 5, val: 4, assumed: -DAY }],
  [{ seen: 1, val: 5, assumed: -2 * DAY }],
  [
    { seen: 1, ended: 4, val: 1, list: [entry(-DAY, 1)] },
    { seen: 4, ended: 5, val: 3, list: [entry(-DAY, 1), entry(-HOUR, 3)] },
    { seen: 5, ended: 7, val: 1, list: [entry(-DAY, 1)] },
    { seen: 7, val: 3, list: [entry(-DAY, 1), entry(-HOUR, 3)] },
  ],
];

/** Rows without lists, whose releases and captures lie on either side of each other and of their commits. */
const STATED: typeof ROWS = [
  [{ seen: 3, val: 4, release: 5 * HOUR, more: { collected_at: START + 7 * HOUR } }],
  [{ seen: 6, val: 5, release: 4 * HOUR, more: { observed_at_ns_string: `${START + 2 * HOUR}000000001` } }],
  [{ seen: 2, refreshed: 5, val: 6, assumed: 6 * HOUR, more: { collected_at: START + 3 * HOUR, previous_value: 5 } }],
  [{ seen: 4, val: 7 }],
];

const month = (i: number) => `2026-${String(12 - i).padStart(2, '0')}-28`;
const storedRows = (rows: typeof ROWS) => rows.map((texts, i) => storedRow(texts, month(i)));
const STORED = storedRows(ROWS);

function timeline(rows = STORED, undone: readonly UndoneDates[] = []) {
  const stored = { texts: rows.flatMap(({ texts }) => texts), listed: rows.flatMap(({ listed }) => listed) };
  const commitTimes = new Map([...commitsOfTimeline(stored)].toReversed().map((commit) => [commit, clock.at(commit)]));
  return seriesTimeline(TABLE, { ...stored, commitTimes, undone });
}

/** What is known of each row by itself. */
function known(asOf: AsOf, rows = STORED, undone: readonly UndoneDates[] = []): readonly StoredRow[] {
  const moment = momentOf(asOf, clock, undone);
  return rows.flatMap((stored) => rowThen(TABLE, stored, { moment, clock }) ?? []);
}

/** Everything that rows say. */
const told = (rows: readonly StoredRow[]) =>
  rows.map((row) => ({
    ...row,
    columns: { ...row.columns },
    known: { ...row.known, ns: row.known?.ns, text: row.known?.text },
  }));

const END = { start: 0, end: ROWS.length };

/** The milliseconds around every hour, and around what was captured in between; some far away. */
const MOMENTS = [-3 * DAY, -2 * DAY, -DAY, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, DAY]
  .map((one) => (START + (Math.abs(one) < 10 ? one * HOUR : one)) * 1000)
  .flatMap((ms) => [ms - 1, ms, ms + 1, ms + 250, ms + 251, ms + HOUR * 500]);

describe.each([
  ['nothing was taken back', storedRows(ROWS), []],
  ['rows state their own times', storedRows(STATED), []],
  ['an import was', storedRows(TAKEN_BACK), [{ since: 2, until: 5, from: '2026-01-01', to: '2026-12-31' }]],
])('the rows of a series at any moment, where %s', (_, rows, undone) => {
  it.each(AVAILABILITIES)('are those of each row by itself: %s', (by) => {
    for (const moments of [MOMENTS, MOMENTS.toReversed()]) {
      const series = timeline(rows, undone);
      for (const at of moments) {
        const asOf = { at, by };
        expect([at, told(series.rows({ asOf }, END))]).toEqual([at, told(known(asOf, rows, undone))]);
      }
    }
  });
});

it.each(AVAILABILITIES)('the rows are the same at all moments that share their last change: %s', (by) => {
  const series = timeline();
  const shared = new Map<number, unknown>();
  for (const at of MOMENTS) {
    const since = series.lastChange(at);
    const rows = told(known({ at, by }));
    expect([at, since <= at]).toEqual([at, true]);
    expect([at, rows]).toEqual([at, shared.get(since) ?? rows]);
    shared.set(since, rows);
  }
  expect(shared.size).toBeLessThan(MOMENTS.length);
});

it.each(AVAILABILITIES)('a row alone is known at any moment when it is among others: %s', (by) => {
  for (const stored of STORED) {
    const series = timeline([stored]);
    for (const at of MOMENTS) {
      const asOf = { at, by };
      const values = (rows: readonly StoredRow[]) => rows.map(({ text }) => text);
      const alone = series.rows({ asOf }, { start: 0, end: 1 });
      expect([stored.key, at, values(alone)]).toEqual([stored.key, at, values(known(asOf, [stored]))]);
    }
  }
});

describe('a timeline', () => {
  const series = timeline();
  const asOf: AsOf = { at: (START + 6 * HOUR) * 1000, by: 'public' };
  const all = known(asOf).map(({ key }) => key);
  const keys = (page?: RowPage, range = END) => series.rows({ asOf }, range, page).map(({ key }) => key);

  it('has every row that there ever was, in the order of the answer', () => {
    expect(series.entries.map(({ key }) => key)).toEqual(ROWS.map((_, i) => [month(i)]));
    expect(all.length).toBeGreaterThan(6);
  });

  it('gives pages from either end, of any range', () => {
    expect(keys({ limit: 3, offset: 2 })).toEqual(all.slice(2, 5));
    expect(keys({ limit: 0, offset: 0 })).toEqual([]);
    expect(keys({ limit: 99, offset: 1, reverse: true })).toEqual(all.toReversed().slice(1));
    expect(keys({ limit: 2, offset: 0, reverse: true })).toEqual(all.toReversed().slice(0, 2));
    const inside = all.filter(([date]) => date !== undefined && date <= month(2) && date > month(6));
    expect(keys(undefined, { start: 2, end: 6 })).toEqual(inside);
    expect(keys({ limit: 2, offset: 0, reverse: true }, { start: 2, end: 6 })).toEqual(inside.toReversed().slice(0, 2));
  });

  it('gives the rows of long ago from either end', () => {
    const then: AsOf = { at: (START - 2 * DAY) * 1000, by: 'public' };
    const page = { limit: 9, offset: 0, reverse: true };
    for (const limits of [undefined, page])
      expect(series.rows({ asOf: then }, END, limits).map(({ key }) => key)).toEqual([[month(9)]]);
  });

  it('gives what a question selects of the rows of then', () => {
    const dates = (more: object) => series.rows({ asOf, ...more }, END).map(({ key }) => key);
    expect(dates({ where: { val: 3 } })).toEqual([[month(2)]]);
    const released = known(asOf).filter(({ columns }) => Number(columns.released ?? 0) < START - DAY);
    expect(dates({ releasedBy: START - DAY - 1 })).toEqual(released.map(({ key }) => key));
    expect(released.length).toBeLessThan(all.length);
  });

  it('makes a row once for the time in which it stays the same', () => {
    const at = (ms: number) => series.rows({ asOf: { ...asOf, at: asOf.at + ms } }, END)[1];
    expect(at(1)).toBe(at(60_000));
    expect(at(1)).toBeDefined();
    expect(at(1)).not.toBe(at(3 * HOUR * 1000));
  });

  it('takes about what its texts do, three times, and its entries', () => {
    const text = (row: (typeof STORED)[number] | undefined) =>
      row?.texts.reduce((sum, one) => sum + one[6].length + 700, 0) ?? 0;
    const entries = STORED.flatMap(({ listed }) => listed).reduce((sum, one) => sum + one[5].length + 700, 0);
    expect(series.bytes).toBe(3 * STORED.reduce((sum, row) => sum + text(row), 0) + entries);
  });
});

it('the commits of a timeline are those that brought, refreshed and ended what is stored', () => {
  const { texts } = storedRow([
    { seen: 1, ended: 3, val: 1 },
    { seen: 3, refreshed: 4, val: 1 },
  ]);
  const { listed } = storedRow([{ seen: 9, val: 1, list: [entry(0, 1)] }]);
  expect([...commitsOfTimeline({ texts, listed })].sort()).toEqual([1, 3, 4, 9]);
});

it('a timeline is selected in the order of the answer, by key columns behind the others', () => {
  const plain = (sql: string) => sql.replace(/\s+/g, ' ').replace(/.* (from|order by) /, '$1 ');
  const whole = { sql: 'series = ?', values: [7] };
  const { texts, listed } = timelineSelects(EVENTS, whole);
  expect([plain(texts.sql), texts.values]).toEqual(['order by 8 asc, 9 asc', [7, 7]]);
  expect(listed).toBeUndefined();
  const own = timelineSelects(TABLE, whole);
  expect(plain(own.texts.sql)).toBe('order by 8 desc');
  expect([plain(own.listed?.sql ?? ''), own.listed?.values]).toEqual(['order by 7 desc', [7]]);
});
