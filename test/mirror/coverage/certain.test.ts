import { describe, expect, it } from 'vitest';
import { addDays, dateToMs } from '../../../src/contract/time/time.ts';
import { certainPart, certainParts, certainRanges, type DatedRange } from '../../../src/mirror/rules/coverage.ts';
import fc from '../../support/properties.ts';

const day = fc.integer({ min: 0, max: 40 }).map((days) => addDays('2026-10-15', days));

/** Looks at a window of days, made some days after its end or before it, with the newest row that they saw. */
const look = fc
  .record({
    from: day,
    length: fc.integer({ min: 0, max: 30 }),
    age: fc.integer({ min: -5, max: 20 }),
    newest: fc.oneof(day, fc.constant(null), fc.constant(undefined)),
    skipped: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  })
  .map(({ from, length, age, newest, skipped }): DatedRange => {
    const to = addDays(from, length);
    return {
      covered: {
        ...{ from, to, rows: 1, checkedAt: dateToMs(addDays(to, age)) },
        ...(skipped !== undefined && { skipped: { rows: skipped, front: addDays(to, 3), beside: 0 } }),
      },
      newest,
    };
  });
const looks = fc.array(look, { maxLength: 4 });
const lateDays = fc.integer({ min: 0, max: 14 });

/** A look whose newest row nobody may read. */
function unread({ covered }: DatedRange): DatedRange {
  return {
    covered,
    get newest(): never {
      throw new Error('the newest row was read');
    },
  };
}

describe('what is certain of several looks', () => {
  it('is what is certain of each of them, one alone included', () => {
    fc.assert(
      fc.property(looks, lateDays, (all, late) => {
        const each = all.flatMap((one) => certainPart(one, { looks: all, lateDays: late }));
        expect(certainParts(all, late)).toEqual(each);
      }),
    );
  });

  it('reads no row of one alone', () => {
    fc.assert(
      fc.property(look, lateDays, (one, late) => {
        expect(certainParts([unread(one)], late).map(({ covered }) => covered)).toEqual([one.covered]);
      }),
    );
  });

  it('tells the newest row of windows that reach their day', () => {
    const open = { from: '2026-01-01', to: '2026-03-01', rows: 1, checkedAt: dateToMs('2026-03-01') };
    expect(certainRanges([{ covered: open, newest: '2026-02-27' }], 0)).toEqual([{ ...open, newest: '2026-02-27' }]);
    expect(certainRanges([{ covered: open, newest: null }], 0)).toEqual([{ ...open, newest: null }]);
    expect(certainRanges([{ covered: open, newest: undefined }], 0)).toEqual([open]);
  });
});
