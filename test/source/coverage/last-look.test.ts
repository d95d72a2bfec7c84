import { describe, expect, it } from 'vitest';
import type { Args } from '../../../src/contract/params/params.ts';
import type { AsOf } from '../../../src/contract/time/moments.ts';
import type { MirrorReader } from '../../../src/mirror/api/mirror.ts';
import type { CoverageOf, StoredCoverage, StoredSeries } from '../../../src/mirror/api/series.ts';
import { lastCheckAt, missingOfUnchecked, missingUncheckedAt } from '../../../src/source/known-spans.ts';
import { DAY_MS, NOW, SECOND } from './moment.ts';
import { covered, endpointOf, series } from './stored.ts';

const [LOOKED, MOMENT] = ['2026-11-18T12:00:00Z', '2026-11-20T00:00:00Z'];
const [LOOKED_MS, MOMENT_MS] = [Date.parse(LOOKED), Date.parse(MOMENT)];
/** Of files without rows: a newest release would count as well. */
const checkedUntil = (read: StoredSeries, coveredRanges: MirrorReader['coveredRanges']) =>
  lastCheckAt(read, { coveredRanges, rows: async () => [], texts: async () => [], vintages: async () => [] });
const EURO = { base: 'EUR', quote: 'USD' };
const RATES = series('forex', EURO, { checkedAt: LOOKED_MS });
const rates = { endpoint: 'forex', scope: EURO, exact: true };
const UNSEEN = { series: rates, range: { from: LOOKED, to: MOMENT }, reason: 'unchecked' };

type Proofs = MirrorReader['coveredRanges'];
const NONE: Proofs = async () => [];
const under =
  (access: CoverageOf, ...coveredRanges: readonly StoredCoverage[]): Proofs =>
  async (_, asked) =>
    asked === access ? coveredRanges : [];

interface Asked {
  readonly id?: string;
  readonly args?: Args;
  readonly asOf?: AsOf;
  readonly cutoff?: number;
  readonly now?: number;
  readonly coveredRanges?: Proofs;
}

function missingParts(
  picked: readonly StoredSeries[],
  { id = 'forex', args = {}, asOf, cutoff, now = NOW, coveredRanges = NONE }: Asked,
) {
  const ask = {
    question: { endpoint: endpointOf(id), args },
    visible: { args, window: undefined, cutoff },
    present: { coveredRanges } as unknown as MirrorReader, // nothing else is read
    presentAt: now,
    caller: { kind: 'owner' } as const,
    ...(asOf && { asOf }),
  };
  return missingOfUnchecked(ask, picked);
}

const publicAt = (at: number): AsOf => ({ at, by: 'public' });

describe('what became known between the last look and the moment of a question', () => {
  it('is lacking of each series', async () => {
    const yen = series('forex', { base: 'EUR', quote: 'JPY' }, { id: 2, checkedAt: MOMENT_MS });
    const pound = series('forex', { base: 'EUR', quote: 'GBP' }, { id: 3, checkedAt: LOOKED_MS + 999 });
    expect(await missingParts([RATES, yen, pound], { asOf: publicAt(MOMENT_MS) })).toEqual([
      UNSEEN,
      { ...UNSEEN, series: { ...rates, scope: { base: 'EUR', quote: 'GBP' } } },
    ]);
    expect(await missingParts([], { asOf: publicAt(MOMENT_MS) })).toEqual([]);
  });

  it('is seen where any origin of the series was looked at later', async () => {
    const later = { ...RATES, id: 2, origin: 'https://other.example', checkedAt: MOMENT_MS };
    expect(await missingParts([RATES, later], { asOf: publicAt(MOMENT_MS) })).toEqual([]);
    expect(await missingParts([RATES, { ...later, checkedAt: MOMENT_MS - 1 }], { asOf: publicAt(MOMENT_MS) })).toEqual([
      { ...UNSEEN, range: { from: '2026-11-19T23:59:59Z', to: MOMENT } },
    ]);
  });

  it('is all of it where nobody ever looked', async () => {
    expect(await missingParts([{ ...RATES, checkedAt: 0 }], { asOf: publicAt(MOMENT_MS) })).toEqual([
      { series: rates, reason: 'unchecked' },
    ]);
  });

  it('is nothing as of now or by what the mirror itself held, and something as of what is to come', async () => {
    // 05:46:13.999: the question is of the second that now is in.
    const now = NOW + 999;
    expect(await missingParts([RATES], { asOf: publicAt(NOW), now })).toEqual([]);
    // A clock may be five minutes ahead of this one.
    expect(await missingParts([RATES], { asOf: publicAt(NOW + 300_000), now })).toEqual([]);
    expect(await missingParts([RATES], { asOf: publicAt(NOW + 301_000), now })).toHaveLength(1);
    expect(await missingParts([RATES], { asOf: publicAt(NOW + DAY_MS), now })).toHaveLength(1);
    expect(await missingParts([RATES], { asOf: publicAt(NOW - 1), now })).toHaveLength(1);
    expect(await missingParts([RATES], { asOf: { at: MOMENT_MS, by: 'captured' } })).toEqual([UNSEEN]);
    expect(await missingParts([RATES], { asOf: { at: MOMENT_MS, by: 'mirrored' } })).toEqual([]);
    expect(await missingParts([RATES], {})).toEqual([]);
  });

  it('ends without a key where the delay begins', async () => {
    const cutoff = LOOKED_MS / 1000 + 60;
    expect(await missingParts([RATES], { asOf: publicAt(MOMENT_MS), cutoff })).toEqual([
      { ...UNSEEN, range: { from: LOOKED, to: '2026-11-18T12:01:00Z' } },
    ]);
    expect(await missingParts([RATES], { asOf: publicAt(MOMENT_MS), cutoff: LOOKED_MS / 1000 })).toEqual([]);
  });

  it('goes by the moment that an endpoint takes itself', async () => {
    const args = { as_of: MOMENT_MS / 1000 };
    expect(await missingParts([RATES], { id: 'announcements', args })).toEqual([UNSEEN]);
    expect(await missingParts([RATES], { id: 'announcements', args: { as_of: SECOND } })).toEqual([]);
    expect(await missingParts([RATES], { id: 'announcements', args: { as_of: MOMENT } })).toEqual([]);
    expect(await missingParts([RATES], { id: 'announcements_recent', args })).toEqual([UNSEEN]);
    // A list that is kept for each moment apart.
    expect(await missingParts([RATES], { id: 'calendar_snapshot', args })).toEqual([]);
    // The moment of the reading comes before it.
    expect(await missingParts([RATES], { id: 'announcements', args, asOf: { at: MOMENT_MS, by: 'mirrored' } })).toEqual(
      [],
    );
  });

  it('is the same for one series at this machine', async () => {
    const reader = { coveredRanges: NONE } as unknown as MirrorReader; // nothing else is read
    const at = (moments: readonly number[], now = NOW) => missingUncheckedAt(RATES, { moments, now, reader });
    expect(await at([MOMENT_MS])).toEqual([UNSEEN]);
    expect(await at([MOMENT_MS, MOMENT_MS - 1000, LOOKED_MS])).toEqual([UNSEEN]);
    expect(await at([NOW], NOW + 999)).toEqual([]);
    expect(await at([NOW - 1], NOW + 999)).toHaveLength(1);
    expect(await at([])).toEqual([]);
  });
});

describe('until when the mirror knows what was known', () => {
  const FILE = { ...RATES, origin: 'import:ECB', checkedAt: NOW };

  it('is its last look at a series of the service', async () => {
    expect(await checkedUntil(RATES, under('keyless', covered('2026-01-01', '2026-01-02')))).toBe(LOOKED_MS);
  });

  it('is any moment of generated data', async () => {
    expect(await checkedUntil(RATES, under('key:sandbox', covered('2026-01-01', '2026-01-02')))).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it('is the moment from which a file lacks a row, or that at which it was read', async () => {
    // A Thursday: the rate of Friday comes at 16:00 in Frankfurt.
    const [thursday, monday] = [covered('2026-01-01', '2026-11-19'), covered('2026-01-01', '2026-11-16')];
    const due = Date.parse('2026-11-20T15:00:00Z');
    expect(await checkedUntil(FILE, under('keyless', thursday))).toBe(due);
    expect(await checkedUntil(FILE, under('keyless', thursday, monday))).toBe(due);
    expect(await checkedUntil(FILE, under('keyless', monday, thursday))).toBe(due);
    expect(await checkedUntil({ ...FILE, checkedAt: due - 1 }, under('keyless', thursday))).toBe(due - 1);
    expect(await checkedUntil(FILE, NONE)).toBe(0);
  });
});

describe('a file lacks nothing before', () => {
  const knownUntil = async (origin: string, last: string, endpoint = 'forex') => {
    const read = series(endpoint, {}, { origin, checkedAt: Date.parse('2026-12-31T00:00:00Z') });
    return new Date(await checkedUntil(read, under('keyless', covered('2026-01-01', last)))).toISOString();
  };

  it.each([
    // A Friday: Monday at 16:00 in Frankfurt, 16:30 in Toronto, and the Tuesday after Monday's week in New York.
    ['import:ECB', '2026-11-20', '2026-11-23T15:00:00.000Z'],
    ['import:BoC', '2026-11-20', '2026-11-23T21:30:00.000Z'],
    ['import:FRB', '2026-11-20', '2026-12-01T21:15:00.000Z'],
    // A Wednesday: the next day at 12:15 in Warsaw.
    ['import:NBP', '2026-11-18', '2026-11-19T11:15:00.000Z'],
  ])('the next time of its publisher: of %s after %s', async (origin, last, until) => {
    expect(await knownUntil(origin, last)).toBe(until);
  });

  it('the end of its last day where the publisher states no days', async () => {
    expect(await knownUntil('import:Somebody', '2026-11-20')).toBe('2026-11-21T00:00:00.000Z');
    expect(await knownUntil('import:ECB', '2026-11-20', 'announcements')).toBe('2026-11-21T00:00:00.000Z');
  });
});
