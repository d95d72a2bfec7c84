import { describe, expect, it, test } from 'vitest';
import { boundAfter } from '../../../src/contract/time/coverage.ts';
import type { StoredCoverage } from '../../../src/mirror/api/series.ts';
import {
  addInterval,
  type CoverageRow,
  coverageAfter,
  type DatedRange,
  intervalOf,
  newestOf,
  skippedText,
} from '../../../src/mirror/rules/coverage.ts';

const covered = (from: string, to: string, checkedAt: number, rows = 0): StoredCoverage => ({
  from,
  to,
  rows,
  checkedAt,
});

/** Days of November. */
const days = (from: number, to: number, checkedAt = 0): StoredCoverage => {
  const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}`;
  return covered(day(from), day(to), checkedAt);
};

describe('a new interval', () => {
  const added = days(11, 20, 5);

  it('stands for those inside of it', () => {
    const before = [covered('2026-02-01', '2026-03-01', 1), covered('2026-01-01', '2026-12-31', 2)];
    expect(addInterval(before, covered('2026-01-01', '2026-12-31', 3))).toEqual([
      covered('2026-01-01', '2026-12-31', 3),
    ]);
  });

  it('stands beside those that it does not touch', () => {
    const before = [days(1, 9, 1), days(22, 30, 2)];
    expect(addInterval(before, added)).toEqual([...before, added]);
  });

  it.each([
    ['meets before it', days(1, 10, 1), days(1, 20, 1)],
    ['meets behind it', days(21, 30, 1), days(11, 30, 1)],
    ['overlaps', days(1, 15, 1), days(1, 20, 1)],
    ['overlaps, proven later', days(15, 30, 9), days(11, 30, 5)],
  ])('widens one that it %s, as of the older look, and stands beside it', (_, old, grown) => {
    expect(addInterval([{ ...old, rows: 7 }], { ...added, rows: 3 })).toEqual([
      { ...grown, rows: 7 },
      { ...added, rows: 3 },
    ]);
  });

  it('says nothing of an older one around it, which stays the same object', () => {
    const around = days(1, 30, 1);
    const [first, second] = addInterval([around], added);
    expect([first === around, second]).toEqual([true, added]);
    // Proven later, it is only certain as of the new one.
    expect(addInterval([days(1, 30, 9)], added)).toEqual([days(1, 30, 5), added]);
  });

  it('makes one of two that grow to the same, the one that was proven later', () => {
    const [older, newer] = [days(1, 12, 1), days(1, 15, 3)];
    expect(addInterval([older, newer], added)).toEqual([days(1, 20, 3), added]);
    expect(addInterval([newer, older], added)).toEqual([days(1, 20, 3), added]);
    const rows = addInterval(
      [
        { ...older, rows: 1 },
        { ...newer, checkedAt: 1, rows: 2 },
      ],
      added,
    ).map((one) => one.rows);
    expect(rows).toEqual([1, 0]);
  });

  it('joins seconds and other bounds too', () => {
    const seconds = (from: number, to: number, checkedAt: number) => ({ from, to, rows: 0, checkedAt });
    expect(addInterval([seconds(0, 9, 1)], seconds(10, 20, 2))).toEqual([seconds(0, 20, 1), seconds(10, 20, 2)]);
    expect(addInterval([seconds(0, 8, 1)], seconds(10, 20, 2))).toEqual([seconds(0, 8, 1), seconds(10, 20, 2)]);
  });
});

describe('intervals', () => {
  it('far apart stay apart, however many they are', () => {
    const years = Array.from({ length: 20 }, (_, i) => covered(`${2000 + i}-01-01`, `${2000 + i}-06-30`, i));
    expect(years.reduce<readonly StoredCoverage[]>(addInterval, [])).toEqual(years);
  });

  it('of a year of daily refreshes stay few, and the whole history stays covered', () => {
    let coveredRanges: readonly StoredCoverage[] = [covered('1999-01-01', '2025-12-31', 0)];
    for (let day = 1; day <= 365; day += 1) {
      const to = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
      const from = new Date(Date.UTC(2024, 11, day)).toISOString().slice(0, 10);
      coveredRanges = addInterval(coveredRanges, covered(from, to, day));
    }
    expect(coveredRanges.length).toBe(4);
    expect(coveredRanges).toContainEqual(covered('1999-01-01', '2026-12-31', 0));
    expect(coveredRanges).toContainEqual(covered('2025-11-30', '2026-12-31', 365));
  });

  it('that are too many go, the oldest inside of another one first', () => {
    const before = [days(1, 30, 9), days(4, 8, 4), days(2, 9, 2), days(12, 14, 1), days(15, 16, 3)];
    const kept = addInterval(before, days(24, 26, 0));
    // Proven later than the new one, what lies around it counts as of then.
    expect(kept).toEqual([days(1, 30, 0), days(4, 8, 4), days(15, 16, 3), days(24, 26, 0)]);
  });

  it('that are alone somewhere, and the new one, stay however many there are', () => {
    const alone = [days(1, 2, 1), days(4, 5, 2), days(7, 8, 3), days(10, 11, 4), days(13, 14, 5)];
    expect(addInterval(alone, days(20, 21, 9))).toEqual([...alone, days(20, 21, 9)]);
    expect(addInterval([...alone, days(19, 22, 9)], days(20, 21, 9))).toEqual([
      ...alone,
      days(19, 22, 9),
      days(20, 21, 9),
    ]);
  });
});

describe('rows before a page that begins in the middle', () => {
  /** Of ten rows a page, newest first, counted from the 21st on. */
  const skipping = (one: StoredCoverage, rows: number, front = '2026-11-21'): StoredCoverage => ({
    ...one,
    skipped: { rows, front, beside: 0 },
  });
  const grown = (old: StoredCoverage, added: StoredCoverage) => addInterval([old], added)[0];

  it('are none of a union that reaches the begin of the answer', () => {
    expect(grown(days(16, 20), skipping(days(11, 15), 5))).toEqual(days(11, 20));
    expect(grown(skipping(days(11, 15), 5), days(16, 20))).toEqual(days(11, 20));
  });

  it('are those before the page that is nearer to the begin', () => {
    const [second, third] = [skipping(days(11, 15), 5), skipping(days(6, 10), 10)];
    expect(grown(second, third)).toEqual(skipping(days(6, 15), 5));
    expect(grown(third, second)).toEqual(skipping(days(6, 15), 5));
  });

  it('are those that the new page says where both reach as far', () => {
    expect(grown(skipping(days(11, 15), 5), skipping(days(13, 15), 6))).toEqual(skipping(days(11, 15), 6));
    expect(grown(skipping(days(11, 15), 5), days(13, 15))).toEqual(days(11, 15));
  });

  it('lie at the other end where the oldest rows come first', () => {
    const from = '2026-11-01';
    const [second, third] = [skipping(days(6, 10), 5, from), skipping(days(11, 15), 10, from)];
    expect(grown(second, third)).toEqual(skipping(days(6, 15), 5, from));
    expect(grown(third, second)).toEqual(skipping(days(6, 15), 5, from));
    expect(grown(days(1, 5), second)).toEqual(days(1, 10));
    expect(grown(skipping(days(6, 12), 5, from), skipping(days(6, 10), 4, from))).toEqual(
      skipping(days(6, 12), 4, from),
    );
  });

  it('change an interval that the new one lies in', () => {
    const around = skipping(days(1, 15), 5);
    expect(grown(around, skipping(days(10, 15), 5))).not.toBe(around);
    expect(grown(around, skipping(days(3, 9), 7))).toBe(around);
  });
});

describe('the coverage once one more interval is in', () => {
  const look = (one: StoredCoverage, newest?: string | null): DatedRange => ({ covered: one, newest });
  const noon = (date: string) => Date.parse(`${date}T12:00:00Z`);
  const coverageWith = (before: readonly DatedRange<CoverageRow>[], added: DatedRange) =>
    coverageAfter(before, added, 0);

  it('says of which windows the rows are known, and of which they were counted before', () => {
    const [apart, old, added] = [days(1, 5, 1), days(8, 10, 2), days(11, 20, 3)];
    expect(coverageWith([look(apart), look(old)], look(added))).toEqual([
      { one: apart, isKnown: true, isNoted: true },
      { one: days(8, 20, 2), isKnown: false, isNoted: false },
      { one: added, isKnown: true, isNoted: false },
    ]);
    expect(coverageWith([], look(added))).toEqual([{ one: added, isKnown: true, isNoted: false }]);
  });

  it('does not widen what may have been too early, but for the rows that it had', () => {
    // On the 13th nothing was known behind the 10th; by now there is a row of the 20th.
    const early = look(days(1, 13, noon('2026-11-13')), '2026-11-10');
    const added = days(14, 21, noon('2026-11-21'));
    expect(coverageWith([early], look(added, '2026-11-20'))).toEqual([
      { one: { ...early.covered, to: '2026-11-10' }, isKnown: false, isNoted: false },
      { one: added, isKnown: true, isNoted: false },
    ]);
  });

  it('is that of before where the new one was too early to say anything', () => {
    const known = look(days(1, 20, noon('2026-11-21')), '2026-11-20');
    const empty = look(days(18, 21, noon('2026-11-21')), null);
    expect(coverageWith([known], empty)).toEqual([{ one: known.covered, isKnown: true, isNoted: true }]);
  });
});

test.each([
  [9, 10],
  ['2026-02-28', '2026-03-01'],
  ['2026-12-31', '2027-01-01'],
  ['', ''],
  ['2026-02-30', '2026-02-30'],
])('behind %o follows %o', (bound, next) => {
  expect(boundAfter(bound)).toBe(next);
});

describe('the interval that reaches furthest', () => {
  it('is the one that was proven last of those that end there', () => {
    expect(newestOf([days(1, 9, 9), days(1, 20, 1), days(5, 20, 3), days(6, 20, 2), days(1, 19, 9)])).toEqual(
      days(5, 20, 3),
    );
    expect(newestOf([days(5, 20, 3), days(6, 20, 3)])).toEqual(days(5, 20, 3));
    expect(newestOf([])).toBeUndefined();
  });

  it('is none that rows lie before', () => {
    const skipping = { ...days(1, 20, 1), skipped: { rows: 0, front: '2026-11-21', beside: 0 } };
    expect(newestOf([skipping])).toBeUndefined();
    expect(newestOf([skipping, days(1, 9, 1)])).toEqual(days(1, 9, 1));
  });
});

describe('an interval as it is kept', () => {
  const skipped = { rows: 4, front: '2026-11-21', beside: 1 };
  const columns = { starts: '2026-11-01', ends: '2026-11-05', rows: 3, proven_at: 7 };

  it('is read with the rows before it, where it has any', () => {
    expect(intervalOf({ ...columns, skipped: null })).toEqual({ ...days(1, 5, 7), rows: 3 });
    expect(intervalOf({ ...columns, skipped: '{"rows":4,"front":"2026-11-21","beside":1}' })).toEqual({
      ...days(1, 5, 7),
      rows: 3,
      skipped,
    });
  });

  it('is written with them alone', () => {
    expect(skippedText({ ...days(1, 5), skipped })).toBe('{"rows":4,"front":"2026-11-21","beside":1}');
    expect(skippedText(days(1, 5))).toBeNull();
  });
});
