import { describe, expect, it } from 'vitest';
import type { HookContext, LoadedSeries } from '../../../src/contract/hooks.ts';
import { coverageFrom } from '../../../src/contract/time/coverage.ts';
import { composeFactor, type FactorArgs } from '../../../src/derive/factors.ts';
import { LABELS } from '../announcements/page.ts';
import { held } from '../rates/held.ts';

const NOW = Date.parse('2026-11-21T05:46:13Z') / 1000;
const ASKED: FactorArgs = {
  currency: 'USD',
  factor: 'monetary_stance',
  start_date: undefined,
  end_date: undefined,
  include_components: false,
  include_sources: false,
  limit: 20,
  offset: 0,
};

const series = (flags: { components: boolean; sources: boolean }, dates: readonly string[], checkedAt = 1) =>
  held({
    endpoint: 'factors',
    scope: {
      currency: 'USD',
      factor: 'monetary_stance',
      include_components: String(flags.components),
      include_sources: String(flags.sources),
    },
    checkedAt,
    envelope: { methodology: 'four parts' },
    rows: dates.map((date, i) => ({
      date,
      val: checkedAt + i / 10,
      label: 'neutral',
      ...(flags.components && { components: { level: 0.1 } }),
      ...(flags.sources && { source_endpoints: ['/v1/announcements/USD/policy_rate'], source_observations: [] }),
    })),
  });

const plain = series({ components: false, sources: false }, ['2026-11-20', '2026-11-19'], 2);
const full = series({ components: true, sources: true }, ['2026-11-19', '2026-11-18', '2026-11-17']);

function ask(all: readonly LoadedSeries[], asked: Partial<FactorArgs> = {}) {
  const args = { ...ASKED, ...asked };
  const picked =
    composeFactor.selectSeries?.(
      args,
      all.map(({ ref }) => ref),
    ) ?? [];
  const context: HookContext<FactorArgs> = { args, now: NOW, caller: { kind: 'owner' }, labels: LABELS };
  const built = composeFactor.build(
    all.filter(({ ref }) => picked.includes(ref)),
    context,
  );
  return (
    built && {
      envelope: JSON.parse(JSON.stringify(built.envelope)),
      rows: built.rows.map((text) => JSON.parse(text)),
      total: built.total,
    }
  );
}

describe('a factor', () => {
  it('is its newest snapshot, one row, when nobody names a date', () => {
    const answer = ask([plain, full]);
    expect([answer?.rows, answer?.total]).toEqual([[{ date: '2026-11-20', val: 2, label: 'neutral' }], 1]);
    expect(answer?.envelope).toMatchObject({
      currency: 'USD',
      factor: 'monetary_stance',
      methodology: 'four parts',
      as_of: '2026-11-20',
      score: 2,
      label: 'neutral',
      latest_available_date: '2026-11-20',
      start_date: '2026-11-20',
      end_date: '2026-11-20',
    });
  });

  it('ends today once a start is given, and starts anywhere once only an end is given', () => {
    const dates = (asked: Partial<FactorArgs>) => ask([plain, full], asked)?.rows.map(({ date }) => date);
    expect(dates({ start_date: '2026-11-18' })).toEqual(['2026-11-20', '2026-11-19', '2026-11-18']);
    expect(dates({ end_date: '2026-11-18' })).toEqual(['2026-11-18', '2026-11-17']);
    expect(dates({ start_date: '2026-11-18', limit: 1, offset: 1 })).toEqual(['2026-11-19']);
    expect(ask([plain], { start_date: '2026-11-18' })?.envelope.end_date).toBe('2026-11-21');
    expect(ask([plain], { start_date: '2026-12-01' })?.rows).toEqual([]);
  });

  it('joins what was answered with and without parts: a date that both have speaks through the one confirmed last', () => {
    const rows = ask([plain, full], { start_date: '2026-11-17' })?.rows;
    expect(rows?.map(({ date, val, components }) => [date, val, components])).toEqual([
      ['2026-11-20', 2, undefined],
      ['2026-11-19', 2.1, undefined],
      ['2026-11-18', 1.1, undefined],
      ['2026-11-17', 1.2, undefined],
    ]);
  });

  it('shows parts and sources to those who ask for them, from answers that have them', () => {
    const parts = ask([plain, full], { include_components: true });
    expect(parts?.rows).toEqual([{ date: '2026-11-19', val: 1, label: 'neutral', components: { level: 0.1 } }]);
    const sources = ask([plain, full], { include_sources: true });
    expect(sources?.rows[0]).toEqual({
      date: '2026-11-19',
      val: 1,
      label: 'neutral',
      source_endpoints: ['/v1/announcements/USD/policy_rate'],
      source_observations: [],
    });
    expect(ask([plain], { include_components: true })).toBeUndefined();
  });

  it('keeps what was told today of the whole history beside a part of it', () => {
    const asked = { start_date: '2026-11-01', end_date: '2026-11-19' };
    const told = (checkedAt: string, held = '2026-11-19') => {
      const one = series({ components: false, sources: false }, [held], Date.parse(checkedAt));
      const envelope = { latest_available_date: '2026-11-20', last_updated: '2026-11-20T22:00:00Z', as_of: held };
      // Only the window was asked for, so nothing proves that no newer snapshot exists.
      const coverage = coverageFrom([{ from: '2026-11-01', to: '2026-11-19' }], false);
      return { ...one, envelope, coverage };
    };
    const of = (one: LoadedSeries, query: Partial<FactorArgs> = asked) => {
      const { latest_available_date: latest, last_updated: updated, as_of: date } = ask([one], query)?.envelope ?? {};
      return [latest, updated, date];
    };
    const all = ['2026-11-20', '2026-11-20T22:00:00Z'];
    expect(of(told('2026-11-21T05:00:00Z'))).toEqual([...all, '2026-11-19']);
    expect(of(told('2026-11-21T05:00:00Z', '2026-11-18'), { ...asked, end_date: '2026-11-18' })).toEqual([
      ...all,
      '2026-11-18',
    ]);
    // What was told yesterday may not be the newest any more.
    expect(of(told('2026-11-20T23:59:59Z'))).toEqual([undefined, '2026-11-20T22:00:00Z', '2026-11-19']);
  });

  it('of the newest snapshot needs a proof of the last day only', () => {
    const refs = [plain, full].map(({ ref }) => ({
      ...ref,
      checkedAt: Date.parse(`2026-11-2${ref.checkedAt ?? 0}T12:00:00Z`),
    }));
    expect(composeFactor.vouches?.(ASKED, refs)).toEqual({
      series: [refs[0]],
      window: { start_date: '2026-11-22', end_date: '2026-11-22' },
    });
    expect(composeFactor.vouches?.({ ...ASKED, start_date: '2026-01-01' }, refs)).toEqual({ series: [refs[0]] });
  });
});
