import { describe, expect, test } from 'vitest';
import { alongOf, type Line, scaleOf, share, tickTexts } from '../../../../src/cli/print/chart/chart.ts';

const DAY = 86_400_000;

const lineOf = (...values: readonly (number | null)[]): Line => ({
  field: 'val',
  name: 'val',
  look: 'line',
  points: values.map((value, i) => ({ at: Date.UTC(2026, 0, 1) + i * DAY, value })),
});

describe('the axis of values', () => {
  test.each([
    [
      [0.96, 1.59],
      [0.8, 1, 1.2, 1.4, 1.6],
    ],
    [
      [1.1, 1.3],
      [1.1, 1.15, 1.2, 1.25, 1.3],
    ],
    [
      [-3, 7],
      [-4, -2, 0, 2, 4, 6, 8],
    ],
    [
      [0, 0],
      [0, 0.2],
    ],
    [
      [150, 150],
      [140, 160],
    ],
    [
      [1e-9, 3e-9],
      [1e-9, 1.5e-9, 2e-9, 2.5e-9, 3e-9],
    ],
  ])('of %j is marked at %j', (values, ticks) => {
    expect(scaleOf({ lines: [lineOf(...values)] }, 5)?.ticks).toEqual(ticks);
  });

  test('is one for all lines, and leaves holes out', () => {
    expect(scaleOf({ lines: [lineOf(1, null, 3), lineOf(9)] }, 5)).toMatchObject({ low: 0, high: 10 });
  });

  test('does not exist where nothing has a value', () => {
    expect([scaleOf({ lines: [] }, 5), scaleOf({ lines: [lineOf(null)] }, 5)]).toEqual([undefined, undefined]);
  });
});

test('marks carry the digits that tell them apart', () => {
  expect([tickTexts([0.8, 1, 1.2]), tickTexts([-5, 0, 5]), tickTexts([1.1, 1.15])]).toEqual([
    ['0.8', '1.0', '1.2'],
    ['-5', '0', '5'],
    ['1.10', '1.15'],
  ]);
});

describe('the axis along', () => {
  const marksOf = (along: 'time' | 'years', ...places: readonly number[]) =>
    alongOf(
      {
        along,
        panels: [{ lines: [{ field: 'v', name: 'v', look: 'line', points: places.map((at) => ({ at, value: 1 })) }] }],
      },
      6,
    )?.ticks.map(({ text }) => text);

  test.each([
    ['years', '2010-03-05', '2026-11-20', ['2015', '2020', '2025']],
    ['months', '2025-11-24', '2026-11-20', ['2026-01', '2026-04', '2026-07', '2026-10']],
    ['Mondays', '2026-10-01', '2026-11-20', ['2026-10-12', '2026-10-26', '2026-11-09']],
    ['hours', '2026-11-20T01:20:00Z', '2026-11-20T09:20:00Z', ['11-20 03:00', '11-20 06:00', '11-20 09:00']],
    ['one date', '2026-11-20', '2026-11-20', ['2026-11-20']],
  ])('marks %s', (_, from, to, marks) => {
    expect(marksOf('time', Date.parse(from), Date.parse(to))).toEqual(marks);
  });

  test('of maturities marks them as they are named, without those that would overlap', () => {
    expect(marksOf('years', 0.25, 1, 2, 5, 10, 30)).toEqual(['3M', '5Y', '10Y', '30Y']);
  });

  test('does not exist without points', () => {
    expect(marksOf('time')).toBeUndefined();
  });
});

test('a value between two equal ones stands in the middle', () => {
  expect([share(3, 3, 3), share(1, 1, 3), share(2, 1, 3), share(3, 1, 3)]).toEqual([0.5, 0, 0.5, 1]);
});
