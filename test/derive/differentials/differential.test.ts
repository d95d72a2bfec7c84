import { describe, expect, it } from 'vitest';
import type { HookContext, LoadedSeries } from '../../../src/contract/hooks.ts';
import { coverageFrom } from '../../../src/contract/time/coverage.ts';
import { composeDifferential } from '../../../src/derive/rates/differential.ts';
import type { DifferentialArgs } from '../../../src/derive/rates/differential-legs.ts';
import { LABELS } from '../announcements/page.ts';
import { catalogue, cataloguesOf, held, rate } from '../rates/held.ts';

const NOW = Date.parse('2026-11-21T05:46:13Z') / 1000;
const at = (iso: string) => Date.parse(iso) / 1000;

const ASKED: DifferentialArgs = {
  base: 'EUR',
  quote: 'USD',
  measure: 'auto',
  rate_type: 'spot',
  curve_family: 'government_nominal',
  start_tenor_years: 2,
  end_tenor_years: 5,
  start_date: '2025-11-21',
  end_date: '2026-11-21',
  as_of: undefined,
  availability: 'public',
  limit: 20,
  offset: 0,
};

/**
 * The answer from everything that is held, as the source would ask for it: read, pick, then build. The catalogues list what
 * is held and nothing else, unless others are given.
 */
function ask(
  held: readonly LoadedSeries[],
  asked: Partial<DifferentialArgs> = {},
  lists: readonly LoadedSeries[] = cataloguesOf(held),
) {
  const args = { ...ASKED, ...asked };
  const read = composeDifferential.reads(args).map(({ endpoint }) => endpoint);
  const all = held.filter(({ ref }) => read.includes(ref.endpoint));
  const picked =
    composeDifferential.selectSeries?.(
      args,
      all.map(({ ref }) => ref),
    ) ?? [];
  if (picked.length === 0) return undefined;
  const context: HookContext<DifferentialArgs> = { args, now: NOW, caller: { kind: 'owner' }, labels: LABELS };
  const built = composeDifferential.build([...all.filter(({ ref }) => picked.includes(ref)), ...lists], context);
  if (!built) return undefined;
  return {
    envelope: JSON.parse(JSON.stringify(built.envelope)),
    rows: built.rows.map((text) => JSON.parse(text)),
    texts: built.rows,
    total: built.total,
    notes: built.notes,
    missingParts: built.missingParts,
  };
}

const eurRiskFree = rate('EUR', 'risk_free_rate', [
  ['2026-11-20', 2.01, at('2026-11-21T08:00:00Z')],
  ['2026-11-19', 2, at('2026-11-20T08:00:00Z')],
  ['2026-11-17', 1.98, at('2026-11-18T08:00:00Z')],
]);
const usdRiskFree = rate('USD', 'risk_free_rate', [
  ['2026-11-19', 3.5, at('2026-11-20T13:00:00Z')],
  ['2026-11-18', 3.51],
  ['2026-11-17', 3.5, at('2026-11-18T13:00:00Z')],
  ['2025-11-20', 4],
]);
const eurTwo = rate('EUR', 'gov_bond_2y', [['2026-11-19', 2.1]]);
const usdTwo = rate('USD', 'gov_bond_2y', [['2026-11-19', 3.4]]);

describe('a differential', () => {
  it('is base minus quote on the dates that both have, newest first', () => {
    const answer = ask([eurRiskFree, usdRiskFree]);
    expect(answer?.rows).toEqual([
      {
        date: '2026-11-19',
        base_val: 2,
        quote_val: 3.5,
        spread: -1.5,
        spread_bps: -150,
        differential: -1.5,
        differential_bps: -150,
      },
      {
        date: '2026-11-17',
        base_val: 1.98,
        quote_val: 3.5,
        spread: -1.52,
        spread_bps: -152,
        differential: -1.52,
        differential_bps: -152,
      },
    ]);
    expect(answer?.texts[0]).toBe(
      '{"date":"2026-11-19","base_val":2.0,"quote_val":3.5,"spread":-1.5,"spread_bps":-150.0,"differential":-1.5,"differential_bps":-150.0}',
    );
    expect(answer?.envelope).toEqual({
      base: 'EUR',
      quote: 'USD',
      rate_type: 'spot',
      measure_requested: 'auto',
      measure_used: 'risk_free_rate',
      base_indicator: 'risk_free_rate',
      quote_indicator: 'risk_free_rate',
      start_date: '2025-11-21',
      end_date: '2026-11-21',
      matched_points: 2,
      unit: 'percentage_points',
      latest_spread: -1.5,
      latest_spread_bps: -150,
      latest_differential: -1.5,
      latest_differential_bps: -150,
      base_latest: { date: '2026-11-19', val: 2, announcement_datetime: at('2026-11-20T08:00:00Z') },
      quote_latest: { date: '2026-11-19', val: 3.5, announcement_datetime: at('2026-11-20T13:00:00Z') },
      sources: { base: ['EUR treasury'], quote: ['USD treasury'] },
      official_forward_source_support: {
        source_type: 'derived',
        source_note: 'Forward rates are derived from spot nodes; no official forward curve is stored.',
      },
      data_quality: {
        is_official: true,
        is_proxy: false,
        is_fallback: false,
        source_type: 'official',
        source_name: 'EUR treasury, USD treasury',
        is_derived: true,
        is_stale: false,
        has_announcement_datetime: true,
        row_count: 2,
        announcement_datetime_count: 2,
        missing_announcement_datetime_count: 0,
        data_lag_days: 2,
        stale_after_days: 7,
        latest_available_date: '2026-11-19',
        quality_scope: 'full_result',
        requested_window_has_data: true,
        source_legs: [
          { currency: 'EUR', indicator: 'risk_free_rate', sources: ['EUR treasury'] },
          { currency: 'USD', indicator: 'risk_free_rate', sources: ['USD treasury'] },
        ],
      },
    });
  });

  it('turns its sign with the pair', () => {
    const there = ask([eurRiskFree, usdRiskFree]);
    const back = ask([eurRiskFree, usdRiskFree], { base: 'USD', quote: 'EUR' });
    expect(back?.rows.map(({ date, spread }) => [date, -spread])).toEqual(
      there?.rows.map(({ date, spread }) => [date, spread]),
    );
  });

  it('cuts its window and its page, and counts the window', () => {
    const answer = ask([eurRiskFree, usdRiskFree], { end_date: '2026-11-18', limit: 1 });
    expect([answer?.rows.map(({ date }) => date), answer?.total, answer?.envelope.latest_spread]).toEqual([
      ['2026-11-17'],
      1,
      -1.52,
    ]);
    const second = ask([eurRiskFree, usdRiskFree], { limit: 1, offset: 1 });
    expect([second?.rows.map(({ date }) => date), second?.total, second?.envelope.latest_spread]).toEqual([
      ['2026-11-17'],
      2,
      -1.5,
    ]);
  });

  it('takes the first measure that both currencies have: risk-free, then two years, then the policy rate', () => {
    const policy = [
      rate('EUR', 'policy_rate', [['2026-11-19', 2]]),
      rate('USD', 'policy_rate', [['2026-11-19', 3.75]]),
    ];
    const used = (all: readonly LoadedSeries[], asked: Partial<DifferentialArgs> = {}) =>
      ask(all, asked)?.envelope.measure_used;
    expect(used([...policy, eurTwo, usdTwo, eurRiskFree, usdRiskFree])).toBe('risk_free_rate');
    expect(used([...policy, eurTwo, usdTwo, eurRiskFree])).toBe('gov_bond_2y');
    expect(used([...policy, eurTwo, usdRiskFree])).toBe('policy_rate');
    expect(used([...policy, eurTwo, usdTwo], { measure: 'policy_rate' })).toBe('policy_rate');
    const tens = [rate('EUR', 'gov_bond_10y', [['2026-11-19', 2.6]]), rate('USD', 'gov_bond_10y', [['2026-11-19', 4]])];
    expect([used(tens), used(tens, { measure: 'gov_bond_10y' })]).toEqual([undefined, 'gov_bond_10y']);
  });

  it('takes no other measure than the one that the service would, where that is not held', () => {
    const told = (lists: readonly LoadedSeries[], asked: Partial<DifferentialArgs> = {}) => {
      const answer = ask([eurRiskFree, eurTwo, usdTwo], asked, lists);
      return [answer?.rows.length, answer?.missingParts, answer?.notes];
    };
    const both = [catalogue('EUR', ['risk_free_rate']), catalogue('USD', ['risk_free_rate'])];
    const usd = { endpoint: 'announcements', scope: { currency: 'USD', indicator: 'risk_free_rate' }, exact: true };
    const none = 'The mirror has no rate that EUR and USD share for this question.';
    expect(told(both)).toEqual([0, [{ series: usd }], [none]]);
    const scope = { base: 'EUR', quote: 'USD', measure: 'auto', rate_type: 'spot' };
    const own = { endpoint: 'rate_differentials', scope, exact: true };
    const undecided = 'The mirror does not know which measure the service would take: --measure gov_bond_2y names one.';
    expect(told([])).toEqual([0, [{ series: own }], [undecided]]);
    const list = { endpoint: 'data_catalogue', scope: { currency: 'USD' }, exact: true };
    expect(told([], { as_of: NOW })).toEqual([0, [{ series: list }], [undecided]]);
    expect(told([], { measure: 'gov_bond_2y' })).toEqual([1, [], []]);
  });

  it('is an empty answer without a shared measure or without a common date, and none without a currency', () => {
    const none = ask([eurTwo, usdRiskFree]);
    expect([none?.rows, none?.total, none?.envelope.measure_used, none?.envelope.measure_requested]).toEqual([
      [],
      0,
      undefined,
      'auto',
    ]);
    expect(none?.notes).toEqual(['The mirror has no rate that EUR and USD share for this question.']);
    const reason = (held: Parameters<typeof ask>[0], asked: Partial<DifferentialArgs> = {}) =>
      ask(held, asked)?.envelope.data_quality?.reason;
    const later = { start_date: '2026-11-20' };
    expect([
      reason([eurTwo, usdRiskFree]),
      reason([eurTwo, rate('USD', 'gov_bond_2y', [['2026-11-18', 3.4]])]),
      reason([eurTwo, usdTwo], later),
      reason([eurTwo, usdTwo]),
    ]).toEqual(['no_shared_measure', 'no_common_date', 'no_rows_in_window', undefined]);
    const apart = ask([eurTwo, rate('USD', 'gov_bond_2y', [['2026-11-18', 3.4]])]);
    expect([
      apart?.rows,
      apart?.envelope.measure_used,
      apart?.envelope.matched_points,
      apart?.envelope.latest_spread,
    ]).toEqual([[], undefined, 0, undefined]);
    expect(ask([eurTwo, rate('USD', 'gov_bond_2y', [['2026-11-18', 3.4]])], { measure: 'gov_bond_2y' })?.notes).toEqual(
      ['The rates of EUR and USD in the mirror have no date in common here.'],
    );
    expect(ask([usdRiskFree, usdTwo])).toBeUndefined();
  });

  it('leaves out dates on which a side has no value', () => {
    const gaps = rate('USD', 'risk_free_rate', [
      ['2026-11-19', null],
      ['2026-11-17', 3.5],
    ]);
    expect(ask([eurRiskFree, gaps])?.rows.map(({ date }) => date)).toEqual(['2026-11-17']);
  });

  it('takes a bulk file only for dates that the service lacks', () => {
    const file = rate(
      'USD',
      'risk_free_rate',
      [
        ['2026-11-20', 9],
        ['2026-11-19', 9],
      ],
      { origin: 'import:bank', source: 'A bank' },
    );
    const answer = ask([file, eurRiskFree, usdRiskFree]);
    expect(answer?.rows.map(({ date, quote_val }) => [date, quote_val])).toEqual([
      ['2026-11-20', 9],
      ['2026-11-19', 3.5],
      ['2026-11-17', 3.5],
    ]);
  });

  it('names what is lacking of its legs, and not the newest spread where a newer one may exist', () => {
    const part = {
      ...rate('USD', 'risk_free_rate', [['2026-11-17', 3.5]]),
      coverage: coverageFrom([{ from: '2025-12-01', to: '2026-11-17' }], false),
    };
    const answer = ask([eurRiskFree, part]);
    const series = { endpoint: 'announcements', scope: { currency: 'USD', indicator: 'risk_free_rate' }, exact: true };
    expect(answer?.missingParts).toEqual([
      { series, range: { from: '2025-11-21', to: '2025-11-30' } },
      { series, range: { from: '2026-11-18', to: '2026-11-21' } },
    ]);
    expect(answer?.rows.map(({ date, spread }) => [date, spread])).toEqual([['2026-11-17', -1.52]]);
    const { latest_spread, base_latest, data_quality } = answer?.envelope ?? {};
    const { latest_available_date, is_stale, row_count } = data_quality;
    expect({ latest_spread, base_latest, latest_available_date, is_stale, row_count }).toEqual({ row_count: 1 });
  });

  it('says of which moment it is', () => {
    const answer = ask([eurRiskFree, usdRiskFree], { as_of: at('2026-11-20T13:00:00Z') });
    expect([answer?.envelope.as_of, answer?.envelope.availability]).toEqual(['2026-11-20T13:00:00Z', 'public']);
  });
});

describe('a forward differential', () => {
  const nodes = [
    rate('EUR', 'gov_bond_2y', [
      ['2026-11-19', 2.1, 100],
      ['2026-11-18', 2],
    ]),
    rate('EUR', 'gov_bond_5y', [['2026-11-19', 2.4, 200]]),
    rate('USD', 'gov_bond_2y', [
      ['2026-11-19', 3.4, 100],
      ['2026-11-18', 3.4],
    ]),
    rate('USD', 'gov_bond_5y', [
      ['2026-11-19', 3.6, 150],
      ['2026-11-18', 3.6],
    ]),
  ];

  it('is made of the nodes of both curves on the dates that all four have', () => {
    const answer = ask(nodes, { rate_type: 'forward' });
    // 2Y 2.10 and 5Y 2.40: ((1.024^5 / 1.021^2)^(1/3) - 1) in per cent is 2.600489556... (worked with 40 digits).
    expect(answer?.rows).toEqual([
      {
        date: '2026-11-19',
        base_val: 2.60049,
        quote_val: 3.733548,
        spread: -1.133058,
        spread_bps: -113.3058,
        differential: -1.133058,
        differential_bps: -113.3058,
        base_forward_val: 2.60049,
        base_start_val: 2.1,
        base_end_val: 2.4,
        quote_forward_val: 3.733548,
        quote_start_val: 3.4,
        quote_end_val: 3.6,
      },
    ]);
    expect(answer?.envelope).toMatchObject({
      rate_type: 'forward',
      measure_used: 'government_nominal',
      curve_family: 'government_nominal',
      base_indicator: 'gov_bond_2y,gov_bond_5y',
      start_tenor: '2Y',
      end_tenor: '5Y',
      forward_label: '2Y5Y',
      base_latest: { date: '2026-11-19', val: 2.60049, announcement_datetime: 200 },
    });
  });

  it('takes nodes from curves that the service listed', () => {
    const curve = held({
      endpoint: 'curves',
      scope: { currency: 'EUR' },
      rows: [
        { date: '2026-11-19', maturity: '2Y', val: 2.1 },
        { date: '2026-11-19', maturity: '5Y', val: 2.4 },
      ],
    });
    const answer = ask([curve, ...nodes.slice(2)], { rate_type: 'forward' });
    expect(answer?.rows.map(({ base_val }) => base_val)).toEqual([2.60049]);
  });

  it('is empty for tenors that have no node', () => {
    const answer = ask(nodes, { rate_type: 'forward', start_tenor_years: 2.5, end_tenor_years: 7 });
    expect([answer?.rows, answer?.envelope.measure_used, answer?.envelope.forward_label]).toEqual([
      [],
      undefined,
      '2.5Y7Y',
    ]);
  });
});

describe('what the service itself answered', () => {
  const own = (checkedAt: number, measure = 'risk_free_rate') =>
    held({
      endpoint: 'rate_differentials',
      scope: { base: 'EUR', quote: 'USD', measure: 'auto', rate_type: 'spot' },
      checkedAt,
      envelope: { measure_used: measure, carry: 'kept', sources: { base: 'ECB', quote: 'FRBNY' } },
      rows: [
        { date: '2026-11-19', base_val: 2, quote_val: 3.5, spread: -1.5, spread_bps: -150, rank: 1 },
        { date: '2026-11-17', base_val: 1.9, quote_val: 3.5, spread: -1.6, spread_bps: -160, rank: 2 },
        { date: '2026-11-16', base_val: 1.9, quote_val: 3.4, spread: -1.5, spread_bps: -150, rank: 3 },
      ],
    });
  const shown = (answer: ReturnType<typeof ask>) => answer?.rows.map(({ date, spread, rank }) => [date, spread, rank]);

  it('is recomputed where the legs were confirmed later, and lends its rows where they agree', () => {
    expect(shown(ask([own(0), eurRiskFree, usdRiskFree]))).toEqual([
      ['2026-11-19', -1.5, 1],
      ['2026-11-17', -1.52, undefined],
      ['2026-11-16', -1.5, 3],
    ]);
  });

  it('stands where it was confirmed later, or where no legs are held', () => {
    const rows = [
      ['2026-11-19', -1.5, 1],
      ['2026-11-17', -1.6, 2],
      ['2026-11-16', -1.5, 3],
    ];
    expect(shown(ask([own(2), eurRiskFree, usdRiskFree]))).toEqual(rows);
    const alone = ask([own(2)]);
    expect([shown(alone), alone?.envelope.sources, alone?.envelope.carry]).toEqual([
      rows,
      { base: 'ECB', quote: 'FRBNY' },
      'kept',
    ]);
  });

  it('lends a part of its window the release times that it told, and no others', () => {
    const whole = own(2);
    const [first, last] = [at('2026-11-20T08:00:00Z'), at('2026-11-20T13:00:00Z')];
    const told = (missing: number) => ({
      ...whole,
      envelope: {
        ...whole.envelope,
        start_date: '2026-11-01',
        end_date: '2026-11-21',
        matched_points: 3,
        base_latest: { date: '2026-11-19', val: 2, announcement_datetime: first },
        quote_latest: { date: '2026-11-19', val: 3.5, announcement_datetime: last },
        data_quality: { row_count: 3, missing_announcement_datetime_count: missing },
      },
    });
    const of = (held: LoadedSeries, asked: Partial<DifferentialArgs>) => {
      const { base_latest: base, quote_latest: quote, data_quality: quality = {} } = ask([held], asked)?.envelope ?? {};
      return [
        [base, quote].map(({ date, announcement_datetime: release }) => [date, release]),
        ['has_announcement_datetime', 'announcement_datetime_count', 'missing_announcement_datetime_count'].map(
          (name) => quality[name],
        ),
      ];
    };
    const newest = [
      ['2026-11-19', first],
      ['2026-11-19', last],
    ];
    const part = { start_date: '2026-11-17', end_date: '2026-11-21' };
    expect(of(told(0), part)).toEqual([newest, [true, 2, 0]]);
    // Of the two dates it may be the one without a time.
    expect(of(told(1), part)).toEqual([newest, [undefined, undefined, undefined]]);
    const before = [
      ['2026-11-17', undefined],
      ['2026-11-17', undefined],
    ];
    expect(of(told(0), { start_date: '2026-11-16', end_date: '2026-11-18' })).toEqual([before, [true, 2, 0]]);
  });

  it('decides which measure auto means', () => {
    const answer = ask([own(0, 'gov_bond_2y'), eurRiskFree, usdRiskFree, eurTwo, usdTwo]);
    expect([answer?.envelope.measure_used, answer?.rows[0]]).toMatchObject([
      'gov_bond_2y',
      { base_val: 2.1, quote_val: 3.4 },
    ]);
  });

  it('says nothing of the past, nor of other tenors', () => {
    expect(ask([own(2)], { as_of: NOW })).toBeUndefined();
    const forward = {
      ...own(2),
      ref: { ...own(2).ref, scope: { base: 'EUR', quote: 'USD', measure: 'auto', rate_type: 'forward' } },
    };
    expect(ask([forward], { rate_type: 'forward' })?.total).toBe(3);
    expect(ask([forward], { rate_type: 'forward', end_tenor_years: 10 })).toBeUndefined();
  });
});

describe('who vouches for a differential', () => {
  const vouch = (all: readonly LoadedSeries[], asked: Partial<DifferentialArgs> = {}) => {
    const args = { ...ASKED, ...asked };
    const picked =
      composeDifferential.selectSeries?.(
        args,
        all.map(({ ref }) => ref),
      ) ?? [];
    return composeDifferential.vouches?.(args, picked)?.series.map(({ scope }) => scope.indicator ?? 'own');
  };

  it('the legs of an asked or of the preferred measure, but not of one that auto fell back to', () => {
    expect(vouch([eurRiskFree, usdRiskFree])).toEqual(['risk_free_rate', 'risk_free_rate']);
    expect(vouch([eurTwo, usdTwo])).toBeUndefined();
    expect(vouch([eurTwo, usdTwo], { measure: 'gov_bond_2y' })).toEqual(['gov_bond_2y', 'gov_bond_2y']);
    expect(vouch([eurTwo, usdRiskFree])).toBeUndefined();
  });

  it('all four yields of a forward', () => {
    const five = [rate('EUR', 'gov_bond_5y', []), rate('USD', 'gov_bond_5y', [])];
    expect(vouch([eurTwo, usdTwo, ...five], { rate_type: 'forward' })).toHaveLength(4);
    expect(vouch([eurTwo, usdTwo, ...five.slice(1)], { rate_type: 'forward' })).toBeUndefined();
  });
});
