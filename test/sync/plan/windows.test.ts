import { describe, expect, it } from 'vitest';
import { addDays, BEGINNING, dateToMs, daysBetween } from '../../../src/contract/time/time.ts';
import { endpointById } from '../../../src/endpoints/index.ts';
import type { StoredCoverage } from '../../../src/mirror/api/series.ts';
import { planHistory } from '../../../src/sync/plan/windows.ts';
import fc, { draws } from '../../support/properties.ts';

const today = '2026-11-21';
const covered = (from: string, to: string): StoredCoverage => ({ from, to, rows: 1, checkedAt: dateToMs(to) });

function plan(id: string, coveredRanges: readonly StoredCoverage[], access: 'keyless' | `key:${string}` = 'key:a') {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  return planHistory({ endpoint, access, coveredRanges, today });
}

describe('planHistory', () => {
  // forex: values may be corrected for 14 days.
  it('starts a new history with the head and then everything before it', () => {
    expect(plan('forex', [])).toEqual([
      { from: '2026-11-07', to: '2026-11-21' },
      { from: BEGINNING, to: '2026-11-06' },
    ]);
  });

  it('refreshes nothing but the head of a complete history', () => {
    expect(plan('forex', [covered(BEGINNING, '2026-11-20')])).toEqual([{ from: '2026-11-06', to: '2026-11-21' }]);
  });

  it('takes neighbouring proofs for one', () => {
    const coveredRanges = [covered('2026-11-05', '2026-11-19'), covered(BEGINNING, '2026-11-04')];
    expect(plan('forex', coveredRanges)).toEqual([{ from: '2026-11-05', to: '2026-11-21' }]);
  });

  it('leaves no hole when the last run is long ago', () => {
    expect(plan('forex', [covered(BEGINNING, '2026-01-31')])).toEqual([{ from: '2026-01-17', to: '2026-11-21' }]);
  });

  it('fills holes newest first', () => {
    const coveredRanges = [covered('2026-11-01', '2026-11-21'), covered('2020-01-01', '2020-12-31')];
    expect(plan('forex', coveredRanges)).toEqual([
      { from: '2026-11-07', to: '2026-11-21' },
      { from: '2021-01-01', to: '2026-10-31' },
      { from: BEGINNING, to: '2019-12-31' },
    ]);
  });

  it('asks without a key only for what may be seen without one', () => {
    expect(plan('announcements', [], 'keyless')).toEqual([{ from: '2026-08-23', to: '2026-11-21' }]);
  });

  it('never overlaps, and together with the proofs covers every day', () => {
    const day = fc.integer({ min: 0, max: 400 }).map((n) => addDays('2025-10-17', n));
    const stretch = fc.tuple(day, fc.integer({ min: 0, max: 90 })).map(([from, n]) => covered(from, addDays(from, n)));
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 6 }), (coveredRanges) => {
        const windows = [...plan('forex', coveredRanges)].sort((a, b) => (a.from < b.from ? -1 : 1));
        for (const [i, window] of windows.entries()) {
          expect(window.from <= window.to).toBe(true);
          const next = windows[i + 1];
          if (next) expect(next.from > window.to).toBe(true);
        }
        const covered = (date: string) =>
          windows.some((w) => w.from <= date && date <= w.to) ||
          coveredRanges.some((p) => String(p.from) <= date && date <= String(p.to));
        for (let n = 0; n <= daysBetween('2025-10-01', today); n += 1)
          expect([addDays('2025-10-01', n), covered(addDays('2025-10-01', n))]).toEqual([
            addDays('2025-10-01', n),
            true,
          ]);
      }),
      { numRuns: draws(30) },
    );
  });
});
