import { describe, expect, test } from 'vitest';
import type { Line } from '../../../../src/cli/output/chart/chart.ts';
import { momentTexts, scaleOf, share, tickTexts } from '../../../../src/cli/output/chart/scale.ts';

const DAY = 86_400_000;

const lineOf = (...values: readonly (number | null)[]): Line => ({
  name: 'val',
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
      [-5, 0, 5, 10],
    ],
    [
      [0, 0],
      [0, 0.5],
    ],
    [
      [150, 150],
      [150, 200],
    ],
    [
      [1e-9, 3e-9],
      [1e-9, 1.5e-9, 2e-9, 2.5e-9, 3e-9],
    ],
  ])('of %j is marked at %j', (values, ticks) => {
    expect(scaleOf([lineOf(...values)], 5)?.ticks).toEqual(ticks);
  });

  test('is one for all lines, and leaves holes out', () => {
    expect(scaleOf([lineOf(1, null, 3), lineOf(9)], 5)).toMatchObject({ low: 0, high: 10 });
  });

  test('does not exist where nothing has a value', () => {
    expect([scaleOf([], 5), scaleOf([lineOf(null)], 5)]).toEqual([undefined, undefined]);
  });
});

test('marks carry the digits that tell them apart', () => {
  expect([tickTexts([0.8, 1, 1.2]), tickTexts([-5, 0, 5]), tickTexts([1.1, 1.15])]).toEqual([
    ['0.8', '1.0', '1.2'],
    ['-5', '0', '5'],
    ['1.10', '1.15'],
  ]);
});

test('the axis of time tells dates, each once, and times where there are some and it is short', () => {
  const moments = (lines: readonly Line[]) => {
    const scale = scaleOf(lines, 5);
    if (!scale) throw new Error('There are values');
    return momentTexts(scale, 3);
  };
  const morning: Line = { name: 'val', points: [{ at: Date.UTC(2026, 0, 2, 8, 15), value: 3 }] };
  expect(moments([lineOf(1, 2, 3, 4, 5)])).toEqual(['2026-01-01', '2026-01-03', '2026-01-05']);
  expect(moments([lineOf(1, 2)])).toEqual(['2026-01-01', '2026-01-02']);
  expect(moments([lineOf(1)])).toEqual(['2026-01-01']);
  expect(moments([morning])).toEqual(['2026-01-02T08:15:00Z']);
  expect(moments([lineOf(1), morning])).toEqual([
    '2026-01-01T00:00:00Z',
    '2026-01-01T16:07:30Z',
    '2026-01-02T08:15:00Z',
  ]);
});

test('a value between two equal ones stands in the middle', () => {
  expect([share(3, 3, 3), share(1, 1, 3), share(2, 1, 3), share(3, 1, 3)]).toEqual([0.5, 0, 0.5, 1]);
});
