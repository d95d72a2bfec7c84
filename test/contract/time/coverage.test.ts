import { describe, expect, it } from 'vitest';
import { coverageFrom, missingRangesIn, runEnds, unionOf } from '../../../src/contract/time/coverage.ts';

const range = (from: string, to: string) => ({ from, to });

/** A weekly series, published three days after its date: looked at on the 19th, its row of the 17th came on the 20th. */
const service = coverageFrom([range('1900-01-01', '2026-11-19')], true, '2026-11-10');

describe('the coverage of several origins', () => {
  it('has a hole behind the newest row of the one that looked first', () => {
    const file = coverageFrom([range('2026-11-20', '2026-11-27')], false);
    const both = unionOf([service, file]);
    expect(both).toEqual({
      ranges: [range('1900-01-01', '2026-11-10'), range('2026-11-20', '2026-11-27')],
      isOpen: false,
    });
    expect(missingRangesIn(both, range('2026-11-01', '2026-11-27'))).toEqual([range('2026-11-11', '2026-11-19')]);
  });

  it('has none where the later one begins before it', () => {
    const file = coverageFrom([range('2026-11-10', '2026-11-27')], true, '2026-11-24');
    expect(unionOf([service, file])).toEqual({
      ranges: [range('1900-01-01', '2026-11-27')],
      isOpen: true,
      newest: '2026-11-24',
    });
  });

  it('keeps an open end that nobody reaches beyond, and the end of what is over', () => {
    const year = coverageFrom([range('2025-01-01', '2025-12-31')], false);
    expect(unionOf([service, year])).toEqual(service);
    const known = coverageFrom([range('2020-01-01', '2026-11-19')], true);
    const later = coverageFrom([range('2026-11-20', '2026-11-27')], false);
    expect(unionOf([known, later]).ranges).toEqual([range('2020-01-01', '2026-11-27')]);
  });
});

describe('the dates that follow each other without a hole', () => {
  const coverage = coverageFrom([range('2026-01-01', '2026-01-10'), range('2026-01-20', '2026-01-31')], true);
  const dates = ['2025-12-31', '2026-01-02', '2026-01-02', '2026-01-10', '2026-01-15', '2026-01-20', '2026-01-31'];

  it('end where their range does, and alone outside of every range', () => {
    expect(runEnds(coverage, dates)).toEqual([1, 4, 4, 4, 5, 7, 7]);
  });

  it('do so in the other direction', () => {
    expect(runEnds(coverage, dates.toReversed())).toEqual([2, 2, 3, 6, 6, 6, 7]);
  });

  it('are none of no dates, and none where nothing is covered', () => {
    expect(runEnds(coverage, [])).toEqual([]);
    expect(runEnds(coverageFrom([], false), dates)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
