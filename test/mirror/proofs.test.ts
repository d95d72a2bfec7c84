import { describe, expect, test } from 'vitest';
import type { CoverageInterval } from '../../src/mirror/api/mirror.ts';
import { addInterval } from '../../src/mirror/ledger/coverage.ts';

describe('proofs', () => {
  const proof = (from: string, to: string, provenAt: number): CoverageInterval => ({ from, to, rows: 0, provenAt });

  test('inside of a new one say nothing more', () => {
    const before = [proof('2026-02-01', '2026-03-01', 1), proof('2026-01-01', '2026-12-31', 2)];
    expect(addInterval(before, proof('2026-01-01', '2026-12-31', 3))).toEqual([proof('2026-01-01', '2026-12-31', 3)]);
  });

  test('far apart stay apart, however many they are', () => {
    const years = Array.from({ length: 20 }, (_, i) => proof(`${2000 + i}-01-01`, `${2000 + i}-06-30`, i));
    expect(years.reduce<readonly CoverageInterval[]>(addInterval, [])).toEqual(years);
  });

  test('of a year of daily refreshes stay few, and the whole history stays covered', () => {
    let proofs: readonly CoverageInterval[] = [proof('1999-01-01', '2025-12-31', 0)];
    for (let day = 1; day <= 365; day += 1) {
      const to = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
      const from = new Date(Date.UTC(2024, 11, day)).toISOString().slice(0, 10);
      proofs = addInterval(proofs, proof(from, to, day));
    }
    expect(proofs.length).toBe(4);
    expect(proofs).toContainEqual(proof('1999-01-01', '2026-12-31', 0));
    expect(proofs).toContainEqual(proof('2025-11-30', '2026-12-31', 365));
  });
});
