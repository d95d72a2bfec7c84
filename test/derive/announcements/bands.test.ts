import { describe, expect, test } from 'vitest';
import { bandOf } from '../../../src/derive/announcements/recent.ts';

const TOTAL = 25_037;

describe('the releases that are kept ready together', () => {
  test.each([
    ['the newest page', { offset: 0, limit: 20 }, { from: 0, to: 64 }],
    ['a page that needs more of the newest', { offset: 90, limit: 100 }, { from: 0, to: 256 }],
    ['the last page of the newest', { offset: 2_028, limit: 20 }, { from: 0, to: 2_048 }],
    ['a page that ends behind them', { offset: 2_029, limit: 20 }, { from: 0, to: 4_096 }],
    ['a page far behind', { offset: 17_000, limit: 100 }, { from: 16_384, to: 20_480 }],
    ['the last page of all', { offset: 25_000, limit: 100 }, { from: 24_576, to: 25_037 }],
    ['a page behind the last release', { offset: 25_037, limit: 100 }, { from: 0, to: 0 }],
  ])('%s', (_, page, band) => {
    expect(bandOf(page, TOTAL)).toEqual(band);
  });

  test('hold every page that begins in them, so that a walk makes a few of them', () => {
    const bands = new Set<string>();
    for (let offset = 0; offset < TOTAL; offset += 100) {
      const { from, to } = bandOf({ offset, limit: 100 }, TOTAL);
      expect([from <= offset, to >= Math.min(offset + 100, TOTAL)]).toEqual([true, true]);
      bands.add(`${from} ${to}`);
    }
    // 128, 256, 512, 1024, 2048 of the newest, then one for each 2,048 more, of which the last may end with all.
    expect(bands.size).toBe(5 + 13);
  });
});
