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

it('a whole answer is read a thousand texts at a time, and an end that is taken early stops it', async () => {
  const { place, reads, valuesOf } = await readerAfter([daysOf(2_500).map((date, i) => printed(date, i, YESTERDAY))]);
  const whole = [
    ['texts', 1_000],
    ['vintages', 999],
    ['texts', 1_000],
    ['vintages', 999],
    ['texts', 502],
    ['vintages', 502],
  ];
  expect([valuesOf(), reads.splice(0)]).toEqual([upTo(0, 2_500), whole]);
  expect([doNow(pastCount(place, THEN)), reads.splice(0)]).toEqual([2_500, whole]);
  const before = { asOf: { at: (YESTERDAY - 1) * 1000, by: 'public' } } as const;
  const [first] = doNow(differences(place, [before, THEN], { limit: 1 }));
  expect([first?.after?.columns.val, reads.splice(0)]).toEqual([
    0,
    [...whole.slice(0, 2), ['horizon', 0], ...whole.slice(0, 2)],
  ]);
  const behind = { limit: 1, after: [daysOf(2_490).at(-1) ?? ''] };
  const [next] = doNow(differences(place, [before, THEN], behind));
  const rest = [
    ['texts', 10],
    ['vintages', 10],
  ];
  expect([next?.after?.columns.val, reads.splice(0)]).toEqual([2_490, [...rest, ...rest]]);
});

it('an answer goes on where one may have been known, and once begun it reads twice as many more each time', async () => {
  // The newest 100 days are still to come; of the rest every third was out.
  const days = daysOf(600).map((date, i) => printed(date, i, i >= 100 && i % 3 === 1 ? YESTERDAY : TOMORROW));
  const { valuesOf, reads } = await readerAfter([days]);
  expect([valuesOf({ limit: 1, offset: 0 }), reads.splice(0)]).toEqual([
    [100],
    [
      ['texts', 17],
      ['vintages', 16],
      ['horizon', 1],
      ['texts', 33],
      ['vintages', 32],
    ],
  ]);
  // 46 texts hold no row, 62 behind the first known one hold 21 rows, 9 + 64 the rest.
  expect([valuesOf({ limit: 30, offset: 0 }), reads.splice(0)]).toEqual([
    upTo(0, 30).map((i) => 100 + 3 * i),
    [
      ['texts', 46],
      ['vintages', 45],
      ['horizon', 1],
      ['texts', 62],
      ['vintages', 61],
      ['texts', 73],
      ['vintages', 72],
    ],
  ]);
});

it('the same from the other end', async () => {
  const days = daysOf(300).map((date, i) => printed(date, i, i < 200 ? YESTERDAY : TOMORROW));
  const { valuesOf, reads } = await readerAfter([days]);
  expect([valuesOf({ limit: 1, offset: 0, reverse: true }), reads]).toEqual([
    [199],
    [
      ['texts', 17],
      ['vintages', 16],
      ['horizon', 1],
      ['texts', 33],
      ['vintages', 32],
    ],
  ]);
});

it('a row in the first texts is enough: nothing is looked for behind it', async () => {
  const days = daysOf(400).map((date, i) => printed(date, i, i === 3 || i >= 50 ? YESTERDAY : TOMORROW));
  const { valuesOf, reads } = await readerAfter([days]);
  expect([valuesOf({ limit: 2, offset: 0 }), reads.splice(0)]).toEqual([
    [3, 50],
    [
      ['texts', 18],
      ['vintages', 17],
      ['texts', 33],
      ['vintages', 32],
      ['texts', 65],
      ['vintages', 64],
    ],
  ]);
});

it.each([false, true])('where nothing was known one look says so, from the other end: %s', async (reverse) => {
  const { valuesOf, reads } = await readerAfter([daysOf(300).map((date, i) => printed(date, i, TOMORROW))]);
  expect([valuesOf({ limit: 4, offset: 0, reverse }), reads]).toEqual([
    [],
    [
      ['texts', 20],
      ['vintages', 19],
      ['horizon', 0],
    ],
  ]);
});

it('a row that had more texts than are read at a time is read again, twice as many of it', async () => {
  const [newest = '', older = ''] = daysOf(2);
  const answers = upTo(0, 45).map((i) => [printed(newest, i, YESTERDAY), printed(older, 100, YESTERDAY)]);
  const { valuesOf, reads } = await readerAfter(answers);
  const last = { asOf: { at: MIDNIGHT + 44 * MINUTE, by: 'mirrored' } } as const;
  expect([valuesOf({ limit: 1, offset: 0 }, last), reads.map(([kind, rows]) => `${kind} ${rows}`)]).toEqual([
    [44],
    ['texts 17', 'texts 34', 'texts 46', expect.stringMatching(/^vintages \d+$/)],
  ]);
});
