import { describe, expect, test } from 'vitest';
import { cadenceOf } from '../../src/derive/cadence.ts';
import { monthsBefore, newestUpTo, percentChange } from '../../src/derive/percent.ts';

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
