import { describe, expect, it } from 'vitest';
import { covers, coversSpan, dateRangesOf, listSpan, OPEN_END, timeRangesOf } from '../../src/coverage/intervals.ts';
import { NOW, SECOND } from '../source/coverage/moment.ts';
import { covered } from '../source/coverage/stored.ts';

const ranges = (...intervals: readonly (readonly [from: string | number, to: string | number, checkedAt: number])[]) =>
  intervals.map(([from, to, checkedAt]) => covered(from, to, checkedAt));

describe('dates that are covered', () => {
  it('are none without an interval', () => {
    expect(dateRangesOf([])).toEqual([]);
  });

  it.each([
    [
      'meet',
      [
        ['2026-01-01', '2026-01-31', 1],
        ['2026-02-01', '2026-02-10', 5],
      ],
      [['2026-01-01', '2026-02-10', 5]],
    ],
    [
      'overlap',
      [
        ['2026-01-01', '2026-01-31', 9],
        ['2026-01-20', '2026-02-10', 5],
      ],
      [['2026-01-01', '2026-02-10', 5]],
    ],
    [
      'leave a day between them',
      [
        ['2026-01-01', '2026-01-31', 1],
        ['2026-02-02', '2026-02-10', 5],
      ],
      [
        ['2026-01-01', '2026-01-31', 1],
        ['2026-02-02', '2026-02-10', 5],
      ],
    ],
    [
      'lie one in the other',
      [
        ['2026-01-01', '2026-01-31', 1],
        ['2026-01-05', '2026-01-10', 9],
      ],
      [['2026-01-01', '2026-01-31', 1]],
    ],
    [
      'end on one day',
      [
        ['2026-01-01', '2026-01-31', 1],
        ['2026-01-05', '2026-01-31', 9],
      ],
      [['2026-01-01', '2026-01-31', 9]],
    ],
    [
      'end on one day, the longer one newer',
      [
        ['2026-01-01', '2026-01-31', 9],
        ['2026-01-05', '2026-01-31', 1],
      ],
      [['2026-01-01', '2026-01-31', 9]],
    ],
    [
      'begin on one day',
      [
        ['2026-01-01', '2026-01-05', 1],
        ['2026-01-01', '2026-01-31', 2],
      ],
      [['2026-01-01', '2026-01-31', 2]],
    ],
  ] as const)('of two intervals that %s', (_, given, expected) => {
    const joined = expected.map(([from, to, checkedAt]) => ({ from, to, checkedAt }));
    expect(dateRangesOf(ranges(...given))).toEqual(joined);
    expect(dateRangesOf(ranges(...given).reverse())).toEqual(joined);
  });

  it('are joined over many intervals in any order', () => {
    const given = ranges(
      ['2026-03-01', '2026-03-31', 3],
      ['2026-01-01', '2026-01-31', 1],
      ['2026-02-01', '2026-02-28', 2],
    );
    expect(dateRangesOf(given)).toEqual([{ from: '2026-01-01', to: '2026-03-31', checkedAt: 3 }]);
  });
});

describe('instants that are covered', () => {
  it.each([
    [
      'meet',
      [
        [0, 9, 1],
        [10, 20, 5],
      ],
      [[0, 20, 5]],
    ],
    [
      'overlap',
      [
        [0, 15, 9],
        [10, 20, 5],
      ],
      [[0, 20, 5]],
    ],
    [
      'leave a second between them',
      [
        [0, 9, 1],
        [11, 20, 5],
      ],
      [
        [0, 9, 1],
        [11, 20, 5],
      ],
    ],
    [
      'lie one in the other',
      [
        [0, 20, 1],
        [5, 10, 9],
      ],
      [[0, 20, 1]],
    ],
    [
      'end at one second',
      [
        [0, 20, 1],
        [5, 20, 9],
      ],
      [[0, 20, 9]],
    ],
    [
      'end at one second, the longer one newer',
      [
        [0, 20, 9],
        [5, 20, 1],
      ],
      [[0, 20, 9]],
    ],
    [
      'begin at one second',
      [
        [0, 5, 9],
        [0, 20, 2],
      ],
      [[0, 20, 2]],
    ],
  ] as const)('of two intervals that %s', (_, given, expected) => {
    const joined = expected.map(([from, to, checkedAt]) => ({ from, to, checkedAt }));
    expect(timeRangesOf(ranges(...given))).toEqual(joined);
    expect(timeRangesOf(ranges(...given).reverse())).toEqual(joined);
  });

  it('are numbers, however a mirror spells them', () => {
    expect(timeRangesOf([covered('5', '100', 1), covered('20', '30', 2)])).toEqual([
      { from: 5, to: 100, checkedAt: 1 },
    ]);
  });
});

describe('a window of dates', () => {
  const YEAR = ranges(['2026-01-01', '2026-11-20', NOW]);
  const asked = (from: string, to: string, isOpen = false) => ({ from, to, isOpen });

  it('is covered from its first to its last day by one range', () => {
    expect(covers(YEAR, asked('2026-01-01', '2026-11-20'))).toBe(true);
    expect(covers(YEAR, asked('2025-12-31', '2026-11-20'))).toBe(false);
    expect(covers(YEAR, asked('2026-01-01', '2026-11-21'))).toBe(false);
    expect(covers([], asked('2026-01-01', '2026-01-01'))).toBe(false);
    const split = ranges(['2025-01-01', '2025-06-30', NOW], ['2026-01-01', '2026-11-20', NOW]);
    expect(covers(split, asked('2026-02-01', '2026-03-01'))).toBe(true);
    expect(covers(split, asked('2025-02-01', '2026-03-01'))).toBe(false);
  });

  it('may go on behind a range that reached the day on which it was proven, where nobody named its end', () => {
    const [then, dayBefore] = ['2026-11-20T00:00:00Z', '2026-11-19T23:59:59Z'].map(Date.parse);
    const at = (checkedAt = 0) => ranges(['2026-01-01', '2026-11-19', checkedAt]);
    expect(covers(at(dayBefore), asked('2026-05-01', '2026-11-21', true))).toBe(true);
    expect(covers(at(dayBefore), asked('2026-05-01', '2026-11-21', false))).toBe(false);
    expect(covers(at(dayBefore), asked('2025-05-01', '2026-11-21', true))).toBe(false);
    expect(covers(at(then), asked('2026-05-01', '2026-11-21', true))).toBe(false);
  });
});

describe('a span of instants', () => {
  const asked = (from: number, to: number, isOpen = false) => ({ from, to, isOpen });

  it('is covered from its first to its last second by one range', () => {
    const given = ranges([100, 200, NOW], [300, 400, NOW]);
    expect(coversSpan(given, asked(100, 200))).toBe(true);
    expect(coversSpan(given, asked(310, 390))).toBe(true);
    expect(coversSpan(given, asked(99, 200))).toBe(false);
    expect(coversSpan(given, asked(100, 201))).toBe(false);
    expect(coversSpan(given, asked(100, 400))).toBe(false);
    expect(coversSpan([], asked(1, 1))).toBe(false);
  });

  it('may go on behind a range that reached the second in which it was proven, where nobody named its end', () => {
    const reached = ranges([100, SECOND, NOW + 999]);
    expect(coversSpan(reached, asked(100, OPEN_END, true))).toBe(true);
    expect(coversSpan(reached, asked(100, OPEN_END, false))).toBe(false);
    expect(coversSpan(reached, asked(99, OPEN_END, true))).toBe(false);
    expect(coversSpan(ranges([100, SECOND - 1, NOW]), asked(100, OPEN_END, true))).toBe(false);
  });
});

it('the span of a list that has no window goes from the first date there is to the day of the look', () => {
  expect(listSpan(NOW)).toEqual({ from: '0000-01-01', to: '2026-11-21' });
  expect(OPEN_END).toBe(Date.parse('9999-12-31T23:59:59Z') / 1000);
});
