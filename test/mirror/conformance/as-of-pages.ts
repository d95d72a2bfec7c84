import { expect, it } from 'vitest';
import type { Availability } from '../../../src/contract/time/moments.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { held, INFLATION, MIDNIGHT, page } from '../support.ts';

const MINUTE = 60_000;
/** Unix seconds of the day before the first commit, at noon. */
const BEFORE = MIDNIGHT / 1000 - 43_200;

/** The last days of `count` months, newest first. */
function months(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 10 - i, 0)).toISOString().slice(0, 10));
}

/** A print of a month; `listed` are its vintages. */
function print(date: string, val: number, { release, listed }: { release?: number; listed?: readonly string[] } = {}) {
  const released = release === undefined ? '' : `,"announcement_datetime":${release}`;
  return `{"date":"${date}","val":${val}${released}${listed ? `,"revisions":[${listed.join(',')}]` : ''}}`;
}

async function heldAfter(open: () => Promise<Mirror>, answers: readonly (readonly string[])[]) {
  const mirror = await open();
  for (const [i, rows] of answers.entries())
    await mirror.commitPage(page(rows, { series: INFLATION, extent: 'replaces', at: MIDNIGHT + i * MINUTE }));
  const series = await held(mirror, INFLATION);
  return async (
    { at, by = 'public' }: { at: number; by?: Availability },
    limits?: { limit: number; offset: number; reverse?: boolean },
  ) => (await mirror.rows(series, { asOf: { at, by } }, limits)).map(({ columns }) => [columns.date, columns.val]);
}

/** Pages of announced rows as they were known at a moment. */
export function asOfPagesOf(open: () => Promise<Mirror>): void {
  it('a row that had very many texts is told whole on every page, from either end', async () => {
    const [newest = '', older = ''] = months(2);
    const answers = Array.from({ length: 45 }, (_, i) => [print(newest, i), print(older, 100 + i)]);
    const read = await heldAfter(open, answers);
    for (const i of [0, 17, 44]) {
      const then = { at: MIDNIGHT + i * MINUTE };
      expect([
        await read(then, { limit: 1, offset: 0 }),
        await read(then, { limit: 1, offset: 1 }),
        await read(then, { limit: 2, offset: 0, reverse: true }),
      ]).toEqual([
        [[newest, i]],
        [[older, 100 + i]],
        [
          [older, 100 + i],
          [newest, i],
        ],
      ]);
    }
  });

  it('pages are pieces of the whole answer, however many rows were not known yet', async () => {
    const dates = months(120);
    // Of every three months one was out the day before, one is out tomorrow, and one was known by its second vintage only.
    const rows = dates.map((date, i) => {
      if (i % 3 === 0) return print(date, i, { release: BEFORE });
      if (i % 3 === 1) return print(date, i, { release: BEFORE + 172_800 });
      const listed = [`{"epoch":${BEFORE},"val":${-i}}`, `{"epoch":${BEFORE + 172_800},"val":${i}}`];
      return print(date, i, { release: BEFORE + 172_800, listed });
    });
    const read = await heldAfter(open, [rows]);
    const all = dates.flatMap((date, i) => (i % 3 === 1 ? [] : [[date, i % 3 === 0 ? i : -i]]));
    const then = { at: MIDNIGHT - 1 };
    expect(await read(then)).toEqual(all);
    for (const [limit, offset] of [
      [1, 0],
      [1, 79],
      [30, 10],
      [80, 0],
      [5, 78],
      [5, 80],
    ] as const) {
      expect(await read(then, { limit, offset })).toEqual(all.slice(offset, offset + limit));
      const reverse = all.toReversed().slice(offset, offset + limit);
      expect(await read(then, { limit, offset, reverse: true })).toEqual(reverse);
    }
  });

  it('an answer of long ago begins behind any number of rows that came since, from either end', async () => {
    const dates = months(90);
    const tomorrow = BEFORE + 172_800;
    const captured = `{"val":2,"observed_at_ns_string":"${BEFORE + 10}000000000"}`;
    const first = { 40: { release: BEFORE }, 43: { release: tomorrow, listed: [captured] } };
    const second = { ...first, 46: { release: tomorrow, listed: [`{"epoch":${BEFORE + 5},"val":46}`] } };
    const rowsOf = (known: Readonly<Record<number, object>>) =>
      dates.map((date, i) =>
        print(date, i, known[i] ?? { release: tomorrow, listed: [`{"epoch":${tomorrow},"val":${i}}`] }),
      );
    const read = await heldAfter(open, [rowsOf(first), rowsOf(second)]);
    const page = async (seconds: number, by: Availability, limit: number, reverse = false) =>
      (await read({ at: seconds * 1000, by }, { limit, offset: 0, reverse })).map(([date]) =>
        dates.indexOf(String(date)),
      );
    const [before, after] = [BEFORE + 10, MIDNIGHT / 1000];
    expect(await page(BEFORE - 1, 'public', 2)).toEqual([]);
    expect(await page(BEFORE, 'public', 2)).toEqual([40]);
    expect(await page(BEFORE + 5, 'public', 1, true)).toEqual([46]);
    expect(await page(before, 'public', 2)).toEqual([40, 43]);
    expect(await page(before, 'public', 2, true)).toEqual([46, 43]);
    expect(await page(before, 'captured', 3)).toEqual([43]);
    expect(await page(before, 'captured', 3, true)).toEqual([43]);
    expect(await page(after, 'captured', 2, true)).toEqual([89, 88]);
    expect(await page(after - 1, 'mirrored', 2)).toEqual([]);
    expect(await page(after, 'mirrored', 2, true)).toEqual([89, 88]);
  });

  it('differences go on behind a key, and no column is made up', async () => {
    const dates = months(30);
    const mirror = await open();
    for (const [i, add] of [0, 100].entries()) {
      const rows = dates.map((date, val) => print(date, val % 3 === 0 ? val + add : val, { release: BEFORE }));
      await mirror.commitPage(page(rows, { series: INFLATION, extent: 'replaces', at: MIDNIGHT + i * MINUTE }));
    }
    const series = await held(mirror, INFLATION);
    const [from, to] = [MIDNIGHT, MIDNIGHT + MINUTE].map((at) => ({ at, by: 'mirrored' }) as const);
    if (!from || !to) throw new Error('two moments');
    const changed = async (limit: number, after?: string) =>
      (await mirror.differences(series, { from, to, limit, ...(after && { after: [after] }) })).map(({ key }) =>
        dates.indexOf(String(key[0])),
      );
    expect(await changed(3)).toEqual([0, 3, 6]);
    expect(await changed(3, dates[6])).toEqual([9, 12, 15]);
    expect(await changed(9, dates[20])).toEqual([21, 24, 27]);
    expect(await changed(9, dates[29])).toEqual([]);
    expect(await mirror.rows(series, { asOf: from }, { limit: 0, offset: 0 })).toEqual([]);
    await expect(mirror.columns(series, { asOf: from }, ['nothing'])).rejects.toThrow("has no column 'nothing'");
  });

  it('an answer of long ago begins with whatever was known first, by text, by vintage or by capture', async () => {
    const [a = '', b = '', c = '', d = ''] = months(4);
    const tomorrow = BEFORE + 172_800;
    const captured = `{"val":2,"observed_at_ns_string":"${BEFORE + 10}000000000"}`;
    const read = await heldAfter(open, [
      [
        print(a, 1, { release: tomorrow }),
        print(b, 2, { release: tomorrow, listed: [captured] }),
        print(c, 3, { release: tomorrow, listed: [`{"epoch":${BEFORE + 5},"val":3}`] }),
        print(d, 4, { release: BEFORE }),
      ],
    ]);
    const known = async (seconds: number, by: Availability) =>
      (await read({ at: seconds * 1000, by })).map(([date]) => date);
    expect(await known(BEFORE - 1, 'public')).toEqual([]);
    expect(await known(BEFORE, 'public')).toEqual([d]);
    expect(await known(BEFORE + 5, 'public')).toEqual([c, d]);
    expect(await known(BEFORE + 10, 'public')).toEqual([b, c, d]);
    expect(await known(tomorrow, 'public')).toEqual([a, b, c, d]);
    expect(await known(BEFORE + 10, 'captured')).toEqual([b]);
    expect(await known(MIDNIGHT / 1000, 'captured')).toEqual([a, b, c, d]);
    expect(await known(MIDNIGHT / 1000 - 1, 'mirrored')).toEqual([]);
    expect(await known(MIDNIGHT / 1000, 'mirrored')).toEqual([a, b, c, d]);
  });
}
