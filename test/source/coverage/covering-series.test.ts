import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/contract/hooks.ts';
import type { Args } from '../../../src/contract/params/params.ts';
import { missingOfSeries } from '../../../src/coverage/missing-parts.ts';
import type { MirrorReader } from '../../../src/mirror/api/mirror.ts';
import type { CoverageOf, StoredCoverage, StoredSeries } from '../../../src/mirror/api/series.ts';
import type { MirrorQuestion } from '../../../src/source/answer/answer.ts';
import { coverageQuestion, missingOfCoveringSeries, missingOfStored } from '../../../src/source/read-coverage.ts';
import { NOW } from './moment.ts';
import { covered, endpointOf, series } from './stored.ts';

type Proofs = (series: StoredSeries, access: CoverageOf) => readonly StoredCoverage[];

/** A question to a mirror with this coverage that holds nothing else. */
function ask(id: string, args: Args, coveredRanges: Proofs, more: Partial<MirrorQuestion> = {}): MirrorQuestion {
  const reader = {
    coveredRanges: async (of: StoredSeries, access: CoverageOf) => coveredRanges(of, access),
    find: async () => [],
    checkOf: async () => undefined,
  } as unknown as MirrorQuestion['state']; // nothing else is read
  return {
    question: { endpoint: endpointOf(id), args },
    visible: { args, window: undefined, cutoff: undefined },
    caller: { kind: 'owner' },
    labels: { service: '', storage: '', publicBaseUrl: '', subscribeUrl: '', docsUrl: '' },
    reader,
    present: reader,
    state: reader,
    stamp: { id: 'm', service: undefined, nature: undefined },
    now: NOW,
    presentAt: NOW,
    clock: NOW,
    ifNoneMatch: undefined,
    ...more,
  };
}

const EURO = { base: 'EUR', quote: 'USD' };
const RATES = series('forex', EURO);
const [JANUARY, MARCH] = [covered('2026-01-01', '2026-01-31'), covered('2026-03-01', '2026-11-21')];
const FEBRUARY = { from: '2026-02-01', to: '2026-02-28' };
const WINDOW = { ...EURO, start_date: '2026-01-01', end_date: '2026-11-21' };
const rates = { endpoint: 'forex', scope: EURO, exact: true };

describe('holes of a series', () => {
  it('are named by their ranges', () => {
    expect(missingOfSeries(RATES, [FEBRUARY, { from: 1, to: 2 }])).toEqual([
      { series: rates, range: FEBRUARY },
      { series: rates, range: { from: 1, to: 2 } },
    ]);
    expect(missingOfSeries(RATES, [])).toEqual([]);
  });

  it('are the whole of a document', () => {
    expect(missingOfSeries(series('fx_sources'), [{ from: '', to: '' }])).toEqual([
      { series: { endpoint: 'fx_sources', scope: {}, exact: true } },
    ]);
  });
});

describe('what an answer made of several series lacks', () => {
  it('is the uncovered part of those that stand for it', async () => {
    const asked = ask('forex', WINDOW, () => [JANUARY, MARCH]);
    expect(await missingOfCoveringSeries(asked, [RATES])).toEqual([{ series: rates, range: FEBRUARY }]);
    expect(
      await missingOfCoveringSeries(
        ask('forex', WINDOW, () => [covered('1900-01-01', '2026-11-21')]),
        [RATES],
      ),
    ).toEqual([]);
  });

  it('goes by the window that the caller sees, and by the one that the endpoint needs', async () => {
    const visible = { args: { ...WINDOW, start_date: '2026-02-10' }, window: undefined, cutoff: undefined };
    const clipped = ask('forex', WINDOW, () => [JANUARY, MARCH], { visible });
    expect(await missingOfCoveringSeries(clipped, [RATES])).toEqual([
      { series: rates, range: { from: '2026-02-10', to: '2026-02-28' } },
    ]);
    const technicals = ask('forex', { ...WINDOW, indicators: ['rsi'] }, () => [JANUARY, MARCH]);
    expect(await missingOfCoveringSeries(technicals, [RATES])).toEqual([
      { series: rates, range: { from: '1900-01-01', to: '2025-12-31' } },
      { series: rates, range: FEBRUARY },
    ]);
  });

  it('is that of all of them where none can tell what else there is', async () => {
    const histories = ['gdp', 'inflation'].map((indicator, id) =>
      series('announcements', { currency: 'USD', indicator }, { id }),
    );
    const window = { currency: 'USD', start_date: '2026-01-01', end_date: '2026-02-28' };
    const asked = ask('announcements_recent', window, ({ id }) => (id === 0 ? [JANUARY] : [JANUARY, MARCH]));
    expect(await missingOfCoveringSeries(asked, histories)).toEqual(
      ['gdp', 'inflation'].map((indicator) => ({
        series: { endpoint: 'announcements', scope: { currency: 'USD', indicator }, exact: true },
        range: FEBRUARY,
      })),
    );
  });

  it('is nothing of a series that is not kept any more', async () => {
    expect(
      await missingOfCoveringSeries(
        ask('announcements_recent', {}, () => []),
        [series('ping')],
      ),
    ).toEqual([]);
  });

  it('is each series that it needs where it is made of none', async () => {
    const recent = ask('announcements_recent', { currency: 'USD' }, () => []);
    expect(await missingOfCoveringSeries(recent, [])).toEqual([
      { series: { endpoint: 'announcements', scope: { currency: 'USD' } } },
      { series: { endpoint: 'data_catalogue', scope: { currency: 'USD' } } },
    ]);
  });

  it('is nothing where it needs none', async () => {
    expect(
      await missingOfCoveringSeries(
        ask('settlement_keys', {}, () => []),
        [],
      ),
    ).toEqual([]);
    const keys = series('settlement_keys');
    expect(
      await missingOfCoveringSeries(
        ask('settlement_keys', {}, () => []),
        [keys],
      ),
    ).toEqual([{ series: { endpoint: 'settlement_keys', scope: {}, exact: true } }]);
  });

  it('goes by the coverage of the caller', async () => {
    const missingParts = (caller: Caller) =>
      missingOfCoveringSeries(
        ask('forex', WINDOW, (_, access) => (access === 'keyed' ? [] : [JANUARY, MARCH]), { caller }),
        [RATES],
      );
    expect(await missingParts({ kind: 'owner' })).toEqual([{ series: rates, range: FEBRUARY }]);
    expect(await missingParts({ kind: 'keyed', plan: 'individual' })).toEqual([
      { series: rates, range: { from: '2026-01-01', to: '2026-11-21' } },
    ]);
  });
});

describe('the coverage that a question goes by', () => {
  const present = { coveredRanges: async () => [] } as unknown as MirrorReader; // handed on
  const given = ask('forex', WINDOW, () => [], { present });

  it('is that of now, in the window that is asked for', () => {
    expect(coverageQuestion(given)).toEqual({
      question: given.question,
      visible: given.visible,
      now: NOW,
      clock: given.clock,
      reader: present,
      isKeyless: true,
    });
    const window = { start_date: '1900-01-01', end_date: '2026-02-01' };
    expect(coverageQuestion(given, window).visible.args).toEqual({ ...WINDOW, ...window });
  });

  it('is that of a person without a key only for the owner of the mirror who has none', () => {
    const isKeyless = (caller: Caller, hasKey?: boolean) => coverageQuestion({ ...given, caller, hasKey }).isKeyless;
    expect(isKeyless({ kind: 'owner' }, true)).toBe(false);
    expect(isKeyless({ kind: 'owner' }, false)).toBe(true);
    expect(isKeyless({ kind: 'keyless' })).toBe(false);
    expect(isKeyless({ kind: 'keyed', plan: 'individual' })).toBe(false);
  });
});

describe('the part of a stored series that no coverage reaches', () => {
  const reader = (...coveredRanges: readonly StoredCoverage[]) => ({
    coveredRanges: async (_: StoredSeries, access: CoverageOf) => (access === 'keyless' ? coveredRanges : []),
    find: async () => [],
    rows: async () => [],
    checkOf: async () => undefined,
  });

  it('is a part of what there can be of it, or of a range', async () => {
    const held = reader(covered('1900-01-01', '2026-01-31'), MARCH);
    expect(await missingOfStored(held, RATES, { now: NOW })).toEqual([{ series: rates, range: FEBRUARY }]);
    const range = { from: '2026-02-20', to: '2026-03-05' };
    expect(await missingOfStored(held, RATES, { now: NOW, range })).toEqual([
      { series: rates, range: { from: '2026-02-20', to: '2026-02-28' } },
    ]);
    expect(await missingOfStored(held, RATES, { now: NOW, range: undefined })).toHaveLength(1);
  });

  it('is nothing of a series that is not kept any more', async () => {
    for (const id of ['ping', 'of_another_version'])
      expect(await missingOfStored(reader(), series(id), { now: NOW })).toEqual([]);
  });
});
