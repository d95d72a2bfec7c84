// What is read of a long series that lists vintages: a page of the past costs its own rows, not those of the series.

import { expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { RowPage } from '../../src/mirror/api/series.ts';
import type { PastSelection } from '../../src/mirror/rules/as-of/past-stored.ts';
import { tableOf } from '../../src/mirror/rules/tables.ts';
import { openDatabase } from '../../src/mirror/sqlite/database-file.ts';
import { sqliteEngine } from '../../src/mirror/sqlite/engine.ts';
import { doNow, type Engine, type Select, wait } from '../../src/mirror/statements/engine.ts';
import { differences, pastCount, pastRows } from '../../src/mirror/statements/past.ts';
import { held, INFLATION, MIDNIGHT, page, testMirror } from './support.ts';

const MINUTE = 60_000;
/** Unix seconds of the days before and after the commit, at noon. */
const YESTERDAY = MIDNIGHT / 1000 - 43_200;
const TOMORROW = YESTERDAY + 172_800;
const THEN = { asOf: { at: MIDNIGHT - 1, by: 'public' } } as const;

const mapping = MAPPINGS.announcements;
if (!mapping) throw new Error('announcements are kept');
const TABLE = tableOf('announcements', mapping);

/** Days, newest first: the order of an answer. */
const daysOf = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(MIDNIGHT - (i + 1) * 86_400_000).toISOString().slice(0, 10));

/** A day with one vintage of its own, published at a moment. */
const printed = (date: string, val: number, at: number) =>
  `{"date":"${date}","val":${val},"announcement_datetime":${at},"revisions":[{"epoch":${at},"val":${val}}]}`;

/** Which select it is, told by its shape. */
function kindOf(sql: string): string {
  if (sql.includes(' as candidates ')) return 'horizon';
  if (sql.includes(' union all ')) return 'texts';
  return sql.includes('_vintages') ? 'vintages' : 'undone';
}

/** A reader of what these answers left, newest commit last; `reads` has what each select gave: its kind and how many rows. */
async function readerAfter(answers: readonly (readonly string[])[]) {
  const { mirror, path } = await testMirror();
  for (const [i, rows] of answers.entries())
    await mirror.commitPage(page(rows, { series: INFLATION, extent: 'replaces', at: MIDNIGHT + i * MINUTE }));
  const { id } = await held(mirror, INFLATION);
  const db = openDatabase(path, { readonly: true });
  onTestFinished(() => void db.close());
  const reads: [kind: string, rows: number][] = [];
  const whole = sqliteEngine(db, { path, commitTimes: new Map() });
  const engine: Engine = {
    ...whole,
    tuples<Row extends unknown[]>(select: Select) {
      const rows = doNow(wait(whole.tuples<Row>(select)));
      const kind = kindOf(select.sql);
      if (kind !== 'undone') reads.push([kind, rows.length]);
      return rows;
    },
  };
  const place = { engine, table: TABLE, series: id };
  const valuesOf = (limits?: RowPage, selection: PastSelection = THEN) =>
    doNow(pastRows(place, selection, limits)).map(({ columns }) => columns.val);
  return { place, reads, valuesOf };
}

const upTo = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

it('a page reads the texts up to its end and sixteen more, and the vintages of the whole rows among them', async () => {
  const { valuesOf, reads } = await readerAfter([daysOf(2_500).map((date, i) => printed(date, i, YESTERDAY))]);
  const readFor = (limits: RowPage) => [valuesOf(limits), reads.splice(0)];
  expect(readFor({ limit: 5, offset: 0 })).toEqual([
    upTo(0, 5),
    [
      ['texts', 21],
      ['vintages', 20],
    ],
  ]);
  expect(readFor({ limit: 5, offset: 40 })).toEqual([
    upTo(40, 5),
    [
      ['texts', 61],
      ['vintages', 60],
    ],
  ]);
  expect(readFor({ limit: 3, offset: 0, reverse: true })).toEqual([
    [2_499, 2_498, 2_497],
    [
      ['texts', 19],
      ['vintages', 18],
    ],
  ]);
  expect(readFor({ limit: 0, offset: 7 })).toEqual([[], []]);
});

it('a whole answer is read a thousand texts at first, then twice as many each time', async () => {
  const { place, reads, valuesOf } = await readerAfter([daysOf(2_500).map((date, i) => printed(date, i, YESTERDAY))]);
  const whole = [
    ['texts', 1_000],
    ['vintages', 999],
    ['texts', 1_501],
    ['vintages', 1_501],
  ];
  expect([valuesOf(), reads.splice(0)]).toEqual([upTo(0, 2_500), whole]);
  expect([doNow(pastCount(place, THEN)), reads.splice(0)]).toEqual([2_500, whole]);
  const before = { asOf: { at: (YESTERDAY - 1) * 1000, by: 'public' } } as const;
  const [first] = doNow(differences(place, [before, THEN], { limit: 1 }));
  expect(first?.after?.columns.val).toBe(0);
  const all = doNow(differences(place, [before, THEN], { limit: 9_999 }));
  expect(all.map(({ after }) => after?.columns.val)).toEqual(upTo(0, 2_500));
  const behind = { limit: 1, after: [daysOf(2_490).at(-1) ?? ''] };
  reads.splice(0);
  const [next] = doNow(differences(place, [before, THEN], behind));
  const rest = [
    ['texts', 10],
    ['vintages', 10],
  ];
  expect([next?.after?.columns.val, reads.splice(0)]).toEqual([2_490, [...rest, ...rest]]);
});

it.each([false, true])(
  'where too few of the first texts were known, all are read, from the other end: %s',
  async (reverse) => {
    // The newest 100 days are still to come; of the rest every third was out.
    const days = daysOf(600).map((date, i) => printed(date, i, i >= 100 && i % 3 === 1 ? YESTERDAY : TOMORROW));
    const known = upTo(0, 600).filter((i) => i >= 100 && i % 3 === 1);
    const { valuesOf } = await readerAfter([days]);
    const inOrder = reverse ? known.toReversed() : known;
    for (const [offset, limit] of [
      [0, 1],
      [0, 30],
      [20, 200],
      [166, 5],
      [167, 5],
    ] as const)
      expect(valuesOf({ limit, offset, reverse })).toEqual(inOrder.slice(offset, offset + limit));
  },
);

it.each([false, true])('where nothing was known there is no row, from the other end: %s', async (reverse) => {
  const { valuesOf } = await readerAfter([daysOf(300).map((date, i) => printed(date, i, TOMORROW))]);
  expect(valuesOf({ limit: 4, offset: 0, reverse })).toEqual([]);
});

it('a row that had more texts than are read at first is read whole', async () => {
  const [newest = '', older = ''] = daysOf(2);
  const answers = upTo(0, 45).map((i) => [printed(newest, i, YESTERDAY), printed(older, 100, YESTERDAY)]);
  const { valuesOf } = await readerAfter(answers);
  const last = { asOf: { at: MIDNIGHT + 44 * MINUTE, by: 'mirrored' } } as const;
  expect(valuesOf({ limit: 1, offset: 0 }, last)).toEqual([44]);
});
