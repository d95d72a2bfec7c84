import { describe, expect, test } from 'vitest';
import { cadenceOf, monthsBefore, newestUpTo, percentChange } from '../../src/derive/cadence.ts';

describe('a change in per cent', () => {
  test.each([
    [3.4, 3.5, -2.86],
    [3.0, 3.2, -6.25],
    [110, 100, 10],
    [0, -4, 100],
    [-6, -4, -50],
    [5, 0, undefined],
    [5, null, undefined],
    [null, 5, undefined],
    [5, undefined, undefined],
    [1e308, 1e-308, undefined],
    // Ties in decimals, which no binary quotient shows: 0.145, 0.125, 2.675, -0.105 per cent.
    [100.145, 100, 0.14],
    [100.125, 100, 0.12],
    [102.675, 100, 2.68],
    [99.895, 100, -0.1],
    [200.45, 200, 0.22],
  ])('of %s after %s is %s', (value, before, expected) => {
    expect(percentChange(value, before)).toBe(expected);
  });
});

describe('months before', () => {
  test.each([
    ['2026-11-19', 12, false, '2025-11-19'],
    ['2024-02-29', 12, false, '2023-02-28'],
    ['2025-02-28', 12, false, '2024-02-28'],
    ['2025-02-28', 12, true, '2024-02-29'],
    ['2026-03-31', 1, true, '2026-02-28'],
    ['2026-02-28', 1, true, '2026-01-31'],
    ['2026-01-15', 1, true, '2025-12-15'],
    ['2026-03-30', 1, true, '2026-02-28'],
    ['2026-01-31', 13, false, '2024-12-31'],
  ])('%s less %i (month ends: %s) is %s', (date, months, monthEnds, expected) => {
    expect(monthsBefore(date, months, monthEnds)).toBe(expected);
  });
});

/** The same by the calendar of the language. */
function monthsBeforeByDate(date: string, months: number, monthEnds: boolean): string {
  const day = new Date(date);
  const next = new Date(day.getTime() + 86_400_000);
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months + 1, 0));
  const isEnd = monthEnds && next.getUTCDate() === 1;
  if (!isEnd) last.setUTCDate(Math.min(day.getUTCDate(), last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

test('months before any day of five years are those of the calendar', () => {
  const days = Array.from({ length: 1_827 }, (_, i) => new Date(Date.UTC(2023, 0, 1 + i)).toISOString().slice(0, 10));
  for (const months of [1, 3, 12, 14])
    for (const monthEnds of [false, true])
      expect(days.map((day) => monthsBefore(day, months, monthEnds))).toEqual(
        days.map((day) => monthsBeforeByDate(day, months, monthEnds)),
      );
});

test('the newest row up to a date must not lie too far before it', () => {
  const rows = [{ date: '2026-03-31' }, { date: '2026-01-31' }];
  expect(newestUpTo(rows, '2026-02-28')).toEqual({ date: '2026-01-31' });
  expect(newestUpTo(rows, '2026-02-28', 28)).toEqual({ date: '2026-01-31' });
  expect(newestUpTo(rows, '2026-02-28', 27)).toBeUndefined();
  expect(newestUpTo(rows, '2026-01-30')).toBeUndefined();
});

test('a cadence is told by the middle gap between dates', () => {
  expect(cadenceOf(['2026-11-20', '2026-11-19', '2026-11-16', '2026-11-13'])).toBe('daily');
  expect(cadenceOf(['2026-11-19', '2026-11-12', '2026-11-05'])).toBe('weekly');
  expect(cadenceOf(['2026-10-31', '2026-08-31', '2026-07-31', '2026-06-30'])).toBe('monthly');
  expect(cadenceOf(['2026-09-30', '2026-06-30', '2026-03-31'])).toBe('quarterly');
  expect(cadenceOf(['2025-12-31', '2024-12-31'])).toBe('annual');
  expect(cadenceOf(['2025-12-31'])).toBeUndefined();
});
