import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { asJsonText, type JsonObject } from '../../../src/contract/json/json.ts';
import { FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { findReceived, speaksFirst } from '../../../src/derive/settlement/compose.ts';
import type { SettlementRelease, Sight } from '../../../src/derive/settlement/release.ts';

const EVERYBODY: Sight = { now: 10_000, cutoff: undefined, cutoffDate: undefined };
/** Readable without a key: releases up to second 5000, periods from August on. */
const KEYLESS: Sight = { now: 10_000, cutoff: 5000, cutoffDate: '2026-08-01' };

const record = (period: string, more: JsonObject = {}) => ({ period, revised: false, ...more });
const released = (second: number) => ({
  first_print: { announcement_datetime: new Date(second * 1000).toISOString() },
});
const series = (asked: string, rows: readonly (readonly [row: JsonObject, seenAt: number])[]): LoadedSeries => ({
  ref: { origin: 'https://svc.example', endpoint: 'settlement', scope: { period: asked } },
  envelope: {},
  rows: rows.map(([row, seenAt]) => ({ columns: {}, text: asJsonText(JSON.stringify(row)), seenAt })),
  coverage: FULL_COVERAGE,
  proven: true,
});
const found = (own: readonly LoadedSeries[], period: string, sight = EVERYBODY) => {
  const { best, ...rest } = findReceived(own, period, sight);
  return { best: best && [best.period, best.seenAt], ...rest };
};

describe('the received record', () => {
  const months = series('2026-09-30', [
    [record('2026-08-31'), 1],
    [record('2026-10-31'), 2],
    [record('2026-09-30'), 3],
  ]);
  const all = { withheld: [], isNewest: false, isAsked: true, any: true };

  it('is that of the period, or of the newest one', () => {
    expect(found([months], 'latest')).toEqual({ ...all, best: ['2026-10-31', 2] });
    expect(found([months], '2026-08-31')).toEqual({ ...all, best: ['2026-08-31', 1] });
    expect(found([months], '2026-07-31')).toEqual({ ...all, best: undefined, isAsked: false });
    expect(found([], 'latest')).toEqual({ ...all, best: undefined, isAsked: false, any: false });
  });

  it('of several for one period is the one that was seen last', () => {
    const [first, second] = [series('latest', [[record('2026-09-30'), 1]]), series('x', [[record('2026-09-30'), 2]])];
    expect(found([first, second], 'latest').best).toEqual(['2026-09-30', 2]);
    expect(found([second, first], 'latest').best).toEqual(['2026-09-30', 2]);
  });

  it('is the newest where the service named it so', () => {
    const named = series('latest', [[record('2026-10-31'), 9]]);
    expect(found([months, named], 'latest')).toMatchObject({ best: ['2026-10-31', 9], isNewest: true });
    expect(found([months, named], '2026-09-30')).toMatchObject({ best: ['2026-09-30', 3], isNewest: false });
  });

  it('without a key begins with the first visible day, and is hidden until its release may be read', () => {
    const rows = [
      [record('2026-07-31'), 1],
      [record('2026-08-01', released(5000)), 1],
      [record('2026-09-30', released(5001)), 1],
    ] as const;
    const own = [series('latest', rows)];
    const keyless = (period: string) => found(own, period, KEYLESS);
    expect(keyless('latest')).toEqual({ ...all, best: ['2026-08-01', 1], withheld: [5001], isNewest: true });
    expect(keyless('2026-09-30')).toEqual({ ...all, best: undefined, withheld: [5001] });
    expect(keyless('2026-07-31')).toEqual({ ...all, best: undefined });
    expect(found(own, 'latest')).toEqual({ ...all, best: ['2026-09-30', 1], isNewest: true });
  });

  it('without a key is no revision that came in after the moment that may be read', () => {
    const own = (seenAt: number, revised: boolean) => [series('latest', [[record('2026-09-30', { revised }), seenAt]])];
    const seen = (seenAt: number, revised: boolean, sight = KEYLESS) =>
      found(own(seenAt, revised), 'latest', sight).best;
    expect(seen(5_000_000, true)).toEqual(['2026-09-30', 5_000_000]);
    expect(seen(5_000_001, true)).toBeUndefined();
    expect(seen(5_000_001, false)).toEqual(['2026-09-30', 5_000_001]);
    expect(seen(5_000_001, true, EVERYBODY)).toEqual(['2026-09-30', 5_000_001]);
  });
});

describe('a received record against the history', () => {
  const { best } = findReceived(
    [series('latest', [[record('2026-09-30', { latest_value: 3 }), 100]])],
    'latest',
    EVERYBODY,
  );
  const speaks = (date: string, latest: number | null, seenAt?: number) =>
    best && speaksFirst(best, { print: { date }, latest, seenAt } as SettlementRelease);

  it('speaks where there is no release, or an older one', () => {
    expect(best && speaksFirst(best, undefined)).toBe(true);
    expect([speaks('2026-08-31', 9, 200), speaks('2026-10-31', 3, 1)]).toEqual([true, false]);
  });

  it('speaks over the same release unless another value of it came in later', () => {
    expect([speaks('2026-09-30', 9, 100), speaks('2026-09-30', 9, 101), speaks('2026-09-30', 3, 101)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(speaks('2026-09-30', 9)).toBe(true);
  });
});
