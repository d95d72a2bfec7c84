import { describe, expect, it } from 'vitest';
import type { Selection, StoredCoverage } from '../../../src/mirror/api/series.ts';
import { positionInStored } from '../../../src/source/stored-page.ts';
import { NOW } from './moment.ts';
import { covered, series } from './stored.ts';

const RATES = series('forex', { base: 'EUR', quote: 'USD' });
const TODAY = '2026-11-21';

/** Days of November. */
const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}`;

interface Asked extends Selection {
  readonly order?: 'newest' | 'oldest';
  readonly limit: number;
  readonly offset: number;
}

/** Where a page stands in a mirror that holds these days of November, one row each. */
function position(days: readonly number[], coveredRanges: readonly StoredCoverage[], asked: Asked) {
  const { order = 'newest', limit, offset, ...selection } = asked;
  const isIn = (date: string, { from = '', to = '9' }: Selection) => date >= String(from) && date <= String(to);
  return positionInStored(
    {
      coveredRanges: async (_, access) => (access === 'keyless' ? coveredRanges : []),
      count: async (_, wanted) => days.map(day).filter((date) => isIn(date, wanted)).length,
    },
    { series: RATES, selection, order, limit, offset },
  );
}

/** A page of these days that so many rows stand before, counted from a day on. */
const page = (from: number, to: number, rows: number, front: string = TODAY, beside = 0) =>
  covered(day(from), day(to), NOW, { skipped: { rows, front, beside } });

const plain = (limit: number, offset: number) => ({ offset, limit, missing: 0 });

describe('a page of the newest rows first', () => {
  /** Of ten rows, of the 20th to the 11th, the fifth to the seventh are held. */
  const MIDDLE = [page(14, 16, 4)];
  const held = (offset: number, limit: number, more: Selection = {}) =>
    position([16, 15, 14], MIDDLE, { offset, limit, ...more });

  it('stands where it is asked for where no page was kept with its offset', async () => {
    expect(await position([16, 15, 14], [], { limit: 2, offset: 5 })).toEqual(plain(2, 5));
    expect(await position([16, 15, 14], [covered(day(14), day(16))], { limit: 2, offset: 5 })).toEqual(plain(2, 5));
  });

  it('is found behind the rows that a kept page skipped', async () => {
    const at = (offset: number, limit: number) => ({ offset, limit, missing: 4 });
    expect(await held(4, 3)).toEqual(at(0, 3));
    expect(await held(5, 2)).toEqual(at(1, 2));
    // Of the first rows none are held, of those around the edge some.
    expect(await held(0, 3)).toEqual(at(0, 0));
    expect(await held(3, 3)).toEqual(at(0, 2));
  });

  it('counts the rows before it that are held by now', async () => {
    const both = (offset: number, limit: number) => position([20, 19, 16, 15, 14], MIDDLE, { offset, limit });
    const at = (offset: number, limit: number) => ({ offset, limit, missing: 2 });
    expect(await both(0, 2)).toEqual(at(0, 2));
    expect(await both(1, 2)).toEqual(at(1, 1));
    expect(await both(2, 2)).toEqual(at(2, 0));
    expect(await both(4, 3)).toEqual(at(2, 3));
    expect(await both(3, 2)).toEqual(at(2, 1));
    const all = [20, 19, 18, 17, 16, 15, 14];
    expect(await position(all, MIDDLE, { offset: 3, limit: 3 })).toEqual({
      ...{ offset: 3, limit: 3, missing: 0 },
    });
    // More than the page skipped: rows came since.
    expect(await position([21, ...all], MIDDLE, { offset: 3, limit: 3 })).toEqual({
      ...{ offset: 3, limit: 3, missing: 0 },
    });
  });

  it('counts by each of several pages, in any order', async () => {
    const pages = [page(16, 17, 3), page(12, 13, 7)];
    for (const kept of [pages, pages.toReversed()]) {
      const of = (offset: number, limit: number) => position([17, 16, 13, 12], kept, { offset, limit });
      const at = (offset: number, limit: number) => ({ offset, limit, missing: 5 });
      expect(await of(3, 5)).toEqual(at(0, 3));
      expect(await of(4, 3)).toEqual(at(1, 1));
      expect(await of(5, 2)).toEqual(at(2, 0));
      expect(await of(7, 2)).toEqual(at(2, 2));
      expect(await of(0, 9)).toEqual(at(0, 4));
    }
  });

  it('goes by the page that lacks most where two begin with one row', async () => {
    const pages = [page(14, 16, 4), page(13, 16, 6)];
    for (const kept of [pages, pages.toReversed()])
      expect(await position([16, 15, 14, 13], kept, { offset: 5, limit: 3 })).toEqual({
        ...{ offset: 0, limit: 2, missing: 6 },
      });
  });

  it('takes rows beside the edge for rows of the page', async () => {
    // The row of the 17th came with the page, but another one of that day did not.
    const edge = [page(14, 16, 5, TODAY, 1)];
    expect(await position([17, 16, 15, 14], edge, { offset: 4, limit: 2 })).toEqual({
      ...{ offset: 0, limit: 2, missing: 4 },
    });
    // More beside it than are held: they are gone.
    expect(await position([16, 15, 14], edge, { offset: 5, limit: 2 })).toEqual({
      ...{ offset: 0, limit: 2, missing: 5 },
    });
  });

  it('is not found by columns, which other rows have', async () => {
    expect(await held(5, 2, { where: { val: 1 } })).toEqual(plain(2, 5));
  });

  it('is found in windows that end where the kept page was counted from', async () => {
    const kept = [page(14, 16, 4, day(18))];
    const asked = (more: Selection) => position([16, 15, 14], kept, { offset: 4, limit: 1, ...more });
    const found = { offset: 0, limit: 1, missing: 4 };
    expect(await asked({ to: day(18) })).toEqual(found);
    expect(await asked({ to: day(19) })).toEqual(plain(1, 4));
    expect(await asked({ to: day(17) })).toEqual(plain(1, 4));
    expect(await asked({})).toEqual(plain(1, 4));
  });

  it('is found in windows that end later where nothing came behind the day of the look', async () => {
    const found = { offset: 0, limit: 1, missing: 4 };
    expect(await held(4, 1, { to: TODAY })).toEqual(found);
    expect(await held(4, 1, { to: '2027-01-01' })).toEqual(found);
    expect(await held(4, 1, { to: day(20) })).toEqual(plain(1, 4));
  });

  it('is found in windows that begin before the kept page ends', async () => {
    const found = { offset: 0, limit: 1, missing: 4 };
    expect(await held(4, 1, { from: day(15) })).toEqual(found);
    // All of the skipped rows are in it, none of the page.
    expect(await held(4, 1, { from: day(17) })).toEqual(found);
    expect(await held(4, 1, { from: day(18) })).toEqual(plain(1, 4));
  });
});

describe('a page of the oldest rows first', () => {
  const kept = [page(14, 16, 4, day(3))];
  const asked = (offset: number, limit: number, more: Selection) =>
    position([5, 14, 15, 16], kept, { order: 'oldest', offset, limit, ...more });

  it('is found behind the rows before the kept page', async () => {
    expect(await asked(4, 2, { from: day(3) })).toEqual({ offset: 1, limit: 2, missing: 3 });
    expect(await asked(0, 1, { from: day(3), to: day(30) })).toEqual({
      offset: 0,
      limit: 1,
      missing: 3,
    });
  });

  it('is found in no other window', async () => {
    expect(await asked(4, 2, { from: day(4) })).toEqual(plain(2, 4));
    expect(await asked(4, 2, {})).toEqual(plain(2, 4));
    expect(await asked(4, 2, { from: day(3), to: day(12) })).toEqual(plain(2, 4));
    expect(await asked(4, 2, { from: day(3), to: day(13) })).not.toEqual(plain(2, 4));
  });
});
