import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countDays, daysOf } from '../../src/source/row-columns.ts';

const date = fc.date({ min: new Date('1950-01-01'), max: new Date('2090-12-31'), noInvalidDate: true });
const day = date.map((one) => one.toISOString().slice(0, 10));
const bounds = fc.record({ from: day, to: day }, { requiredKeys: [] });

it('counts the dates of a window as a filter does, in either order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(day),
      bounds,
      fc.constantFrom('newest' as const, 'oldest' as const),
      (all, window, order) => {
        const sorted = all.toSorted();
        const keys = order === 'newest' ? sorted.toReversed() : sorted;
        const days = daysOf({ keys, length: keys.length, order });
        const inside = keys.filter((key) => key >= (window.from ?? '') && key <= (window.to ?? '9999'));
        expect(days && countDays(days, window)).toBe(inside.length);
      },
    ),
  );
});

it('knows no dates among keys of another form', () => {
  expect(daysOf({ keys: ['2026-01-02', 'first'], length: 2, order: 'oldest' })).toBeUndefined();
  expect(daysOf({ keys: Float64Array.of(1, 2), length: 2, order: 'oldest' })).toBeUndefined();
});
