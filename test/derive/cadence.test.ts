import { expect, test } from 'vitest';
import { addDays } from '../../src/contract/time/time.ts';
import { cadenceOf, SAMPLE } from '../../src/derive/cadence.ts';
import fc from '../support/properties.ts';

/** Days of the widest usual gap of each rhythm; one that is wider still is annual. */
const WIDEST = [
  ['daily', 4],
  ['weekly', 20],
  ['monthly', 45],
  ['quarterly', 135],
] as const;

test('the rhythm of dates is that of the middle of the gaps between the newest of them', () => {
  const gaps = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 500 })), { maxLength: 40 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 0, max: 3000 }), (drawn, days) => {
      const dates = [addDays('2018-02-20', days)];
      for (const gap of drawn) dates.push(addDays(dates.at(-1) ?? '', -gap));
      const sorted = drawn.slice(0, 2 * SAMPLE - 1).sort((a, b) => a - b);
      const middle = sorted[Math.floor(sorted.length / 2)];
      const expected = middle && (WIDEST.find(([, widest]) => middle <= widest)?.[0] ?? 'annual');
      expect([dates, cadenceOf(dates), cadenceOf(dates.toReversed().slice(0, 1))]).toEqual([
        dates,
        expected,
        undefined,
      ]);
    }),
  );
});
