import { describe, expect, it } from 'vitest';
import type { HookContext, LoadedSeries } from '../../../src/contract/hooks.ts';
import { type CurveArgs, composeCurve } from '../../../src/derive/rates/curve.ts';
import { LABELS } from '../announcements/page.ts';
import { cataloguesOf, held, rate } from '../rates/held.ts';

const NOW = Date.parse('2026-11-21T05:46:13Z') / 1000;
const at = (iso: string) => Date.parse(iso) / 1000;

/** The answer from series that are all there are, by the catalogue. */
function ask(loaded: readonly LoadedSeries[], asked: Partial<CurveArgs> = {}) {
  const args: CurveArgs = {
    currency: 'USD',
    curve_family: 'government_nominal',
    metric: 'spot',
    view: 'nodes',
    method: 'derived_from_spot_nodes',
    date: undefined,
    as_of: undefined,
    availability: 'public',
    max_staleness_days: undefined,
    require_common_date: undefined,
    ...asked,
  };
  const context: HookContext<CurveArgs> = { args, now: NOW, caller: { kind: 'owner' }, labels: LABELS };
  const built = composeCurve.build([...loaded, ...cataloguesOf(loaded)], context);
  return {
    envelope: JSON.parse(JSON.stringify(built?.envelope ?? null)),
    rows: (built?.rows ?? []).map((text) => JSON.parse(text)),
    texts: built?.rows ?? [],
    notes: built?.notes,
  };
}

const twoYear = rate('USD', 'gov_bond_2y', [
  ['2026-11-19', 3.4, at('2026-11-19T21:15:00Z')],
  ['2026-11-18', 3.5, at('2026-11-18T21:15:00Z')],
]);
const fiveYear = rate('USD', 'gov_bond_5y', [
  ['2026-11-20', null],
  ['2026-11-19', 3.6, at('2026-11-19T21:15:00Z')],
]);
const tenYear = rate('USD', 'gov_bond_10y', [
  ['2026-11-18', 3, at('2026-11-18T21:15:00Z')],
  ['2026-11-17', 4.1, at('2026-11-17T21:15:00Z')],
]);
const oldTwenty = rate('USD', 'gov_bond_20y', [['2026-09-21', 4.5]]);

const labels = (rows: readonly { maturity: string; date: string }[]) =>
  rows.map(({ maturity, date }) => [maturity, date]);

describe('the nodes of a curve', () => {
  it('are the newest values of the yields, the shortest first', () => {
    const { envelope, rows, texts } = ask([tenYear, fiveYear, twoYear]);
    expect(rows).toEqual([
      {
        indicator: 'gov_bond_2y',
        maturity: '2Y',
        maturity_years: 2,
        val: 3.4,
        date: '2026-11-19',
        announcement_datetime: 1795122900,
        source: 'USD treasury',
        staleness_days: 2,
      },
      {
        indicator: 'gov_bond_5y',
        maturity: '5Y',
        maturity_years: 5,
        val: 3.6,
        date: '2026-11-19',
        announcement_datetime: 1795122900,
        source: 'USD treasury',
        staleness_days: 2,
      },
      {
        indicator: 'gov_bond_10y',
        maturity: '10Y',
        maturity_years: 10,
        val: 3,
        date: '2026-11-18',
        announcement_datetime: 1795036500,
        source: 'USD treasury',
        staleness_days: 3,
      },
    ]);
    expect(texts[2]).toContain('"maturity_years":10.0,"val":3.0,');
    expect(envelope).toEqual({
      currency: 'USD',
      curve_family: 'government_nominal',
      view: 'nodes',
      metric: 'spot',
      requested_date: '2026-11-21',
      node_count: 3,
      sources: ['USD treasury'],
      official_forward_source_support: {
        source_type: 'derived',
        source_note: 'Forward rates are derived from spot nodes; no official forward curve is stored.',
      },
      data_quality: {
        is_official: true,
        is_proxy: false,
        is_fallback: false,
        source_type: 'official',
        source_name: 'USD treasury',
        is_derived: false,
        is_stale: false,
        has_announcement_datetime: true,
        row_count: 3,
        announcement_datetime_count: 3,
        missing_announcement_datetime_count: 0,
        data_lag_days: 2,
        stale_after_days: 7,
        latest_available_date: '2026-11-19',
        quality_scope: 'full_result',
      },
    });
  });

  it('go back sixty days, and not a day more', () => {
    const edge = rate('USD', 'gov_bond_30y', [['2026-09-22', 4.6]]);
    expect(labels(ask([edge, oldTwenty]).rows)).toEqual([['30Y', '2026-09-22']]);
    expect(labels(ask([edge, oldTwenty], { max_staleness_days: 61 }).rows)).toEqual([
      ['20Y', '2026-09-21'],
      ['30Y', '2026-09-22'],
    ]);
    expect(ask([edge, oldTwenty], { max_staleness_days: 0 }).rows).toEqual([]);
  });

  it('stand as they did on an earlier date', () => {
    const { rows, envelope } = ask([twoYear, fiveYear, tenYear], { date: '2026-11-18' });
    expect(labels(rows)).toEqual([
      ['2Y', '2026-11-18'],
      ['10Y', '2026-11-18'],
    ]);
    expect([envelope.requested_date, rows[0].staleness_days]).toEqual(['2026-11-18', 0]);
  });

  it('come from one date that all of them have, when that is required', () => {
    const { rows } = ask([twoYear, tenYear], { require_common_date: true });
    expect(labels(rows)).toEqual([
      ['2Y', '2026-11-18'],
      ['10Y', '2026-11-18'],
    ]);
    const apart = ask([twoYear, fiveYear, tenYear], { require_common_date: true });
    expect([apart.rows, apart.notes]).toEqual([
      [],
      ['No recent date has all stored maturities: --require-common-date false takes each from its own.'],
    ]);
  });

  it('keep yields of other selectors out, and know nothing of what is no yield', () => {
    const other = held({
      scope: { currency: 'USD', indicator: 'gov_bond_2y', frequency: 'mom' },
      rows: [{ date: '2026-11-20', val: 9 }],
    });
    const refs = [twoYear, other, rate('USD', 'inflation', [['2026-10-31', 3]])].map(({ ref }) => ref);
    expect(composeCurve.selectSeries?.({} as CurveArgs, refs)).toEqual([twoYear.ref]);
  });

  it('are none, but an answer, where only old ones are held; nothing held is no answer', () => {
    expect(ask([oldTwenty]).envelope.node_count).toBe(0);
    expect(ask([]).envelope).toBeNull();
  });
});

describe('the curve as it was known', () => {
  it('is at most seven days old and from a date that all nodes have, unless somebody asks for more', () => {
    const asked = { as_of: at('2026-11-19T22:00:00Z'), date: '2026-11-01' };
    const { rows, envelope } = ask([twoYear, tenYear, oldTwenty], asked);
    expect(labels(rows)).toEqual([
      ['2Y', '2026-11-18'],
      ['10Y', '2026-11-18'],
    ]);
    expect([envelope.requested_date, envelope.as_of, envelope.availability]).toEqual([
      '2026-11-19',
      '2026-11-19T22:00:00Z',
      'public',
    ]);
    const mixed = ask([twoYear, fiveYear, tenYear], { ...asked, require_common_date: false });
    expect(labels(mixed.rows)).toEqual([
      ['2Y', '2026-11-19'],
      ['5Y', '2026-11-19'],
      ['10Y', '2026-11-18'],
    ]);
  });
});

describe('slopes', () => {
  it('stand where both nodes exist, long minus short, inverted below zero, as old as the older leg', () => {
    const { rows, envelope, texts } = ask([twoYear, fiveYear, tenYear], { view: 'slopes' });
    expect(rows).toEqual([
      {
        slope: '2Y5Y',
        short_maturity: '2Y',
        long_maturity: '5Y',
        short_val: 3.4,
        long_val: 3.6,
        val: 0.2,
        val_bps: 20,
        is_inverted: false,
        date: '2026-11-19',
      },
      {
        slope: '2Y10Y',
        short_maturity: '2Y',
        long_maturity: '10Y',
        short_val: 3.4,
        long_val: 3,
        val: -0.4,
        val_bps: -40,
        is_inverted: true,
        date: '2026-11-18',
      },
      {
        slope: '5Y10Y',
        short_maturity: '5Y',
        long_maturity: '10Y',
        short_val: 3.6,
        long_val: 3,
        val: -0.6,
        val_bps: -60,
        is_inverted: true,
        date: '2026-11-18',
      },
    ]);
    expect(texts[0]).toContain('"val_bps":20.0');
    expect([envelope.slope_count, envelope.inverted_count, envelope.node_count, envelope.method]).toEqual([
      3,
      2,
      undefined,
      undefined,
    ]);
    expect(envelope.data_quality.is_derived).toBe(true);
  });

  it('are the six documented ones where every node exists; a flat one is not inverted', () => {
    const flat = ['3m', '2y', '5y', '10y', '30y'].map((term) => rate('USD', `gov_bond_${term}`, [['2026-11-19', 4]]));
    const { rows } = ask(flat, { view: 'slopes' });
    expect(rows.map(({ slope, is_inverted }) => [slope, is_inverted])).toEqual(
      ['3M10Y', '2Y5Y', '2Y10Y', '5Y10Y', '5Y30Y', '10Y30Y'].map((slope) => [slope, false]),
    );
  });
});

describe('forwards', () => {
  it('lead from each node of a year or more to the next', () => {
    const bill = rate('USD', 'gov_bond_3m', [['2026-11-20', 3.8]]);
    const { rows, envelope } = ask([bill, twoYear, fiveYear, tenYear], { view: 'forwards' });
    expect(rows[0]).toEqual({
      segment: '2Y5Y',
      start_maturity: '2Y',
      end_maturity: '5Y',
      start_tenor_years: 2,
      end_tenor_years: 5,
      start_val: 3.4,
      end_val: 3.6,
      val: 3.733548,
      val_bps: 373.3548,
      start_announcement_datetime: 1795122900,
      end_announcement_datetime: 1795122900,
      date: '2026-11-19',
    });
    expect(rows.map(({ segment }) => segment)).toEqual(['2Y5Y', '5Y10Y']);
    expect([envelope.segment_count, envelope.method]).toEqual([2, 'derived_from_spot_nodes']);
  });
});

describe('nodes that the service listed', () => {
  const listed = (val: number, checkedAt: number) =>
    held({
      endpoint: 'curves',
      scope: { currency: 'USD', curve_family: 'government_nominal', metric: 'spot' },
      checkedAt,
      envelope: { sources: ['Treasury'], shape: 'steep' },
      rows: [
        {
          indicator: 'gov_bond_2y',
          maturity: '2Y',
          maturity_years: 2,
          val,
          date: '2026-11-19',
          source: 'Treasury',
          staleness_days: 1,
          coupon: 'semi',
        },
        {
          indicator: 'gov_bond_50y',
          maturity: '50Y',
          maturity_years: 50,
          val: 4.9,
          date: '2026-11-12',
          source: 'Treasury',
        },
      ],
    });

  it('keep what only their own rows say, beside yields that agree', () => {
    const { rows, envelope, notes } = ask([twoYear, listed(3.4, 1), tenYear]);
    expect(rows.map(({ maturity, coupon, staleness_days }) => [maturity, coupon, staleness_days])).toEqual([
      ['2Y', 'semi', 2],
      ['10Y', undefined, 3],
      ['50Y', undefined, 9],
    ]);
    expect([envelope.sources, envelope.shape, notes]).toEqual([['Treasury', 'USD treasury'], 'steep', []]);
  });

  it('give way to a yield that was confirmed later, and the other way round', () => {
    expect(ask([twoYear, listed(3.3, 0)]).rows[0]?.val).toBe(3.4);
    expect(ask([twoYear, listed(3.3, 2)]).rows[0]?.val).toBe(3.3);
  });

  it('alone tell that a curve of today is whole', () => {
    const picked = [twoYear.ref, listed(3.4, 1).ref];
    const vouch = (asked: Partial<CurveArgs>, refs = picked) =>
      composeCurve.vouches?.(asked as CurveArgs, refs)?.series;
    expect(vouch({})).toEqual([picked[1]]);
    expect(vouch({}, [twoYear.ref])).toEqual([]);
    expect(vouch({ date: '2026-11-01' })).toBeUndefined();
    expect(vouch({ as_of: 1 })).toBeUndefined();
    expect(vouch({ max_staleness_days: 90 })).toBeUndefined();
    expect(vouch({ require_common_date: true })).toBeUndefined();
    expect(ask([twoYear]).notes).toEqual(['Made of the one maturity with stored yields; the service may know more.']);
  });
});

describe('yields of files alone', () => {
  const files = [twoYear, fiveYear].map((one) => ({ ...one, ref: { ...one.ref, origin: 'import:Treasury' } }));
  const built = (loaded: readonly LoadedSeries[], asked: Partial<CurveArgs>) => {
    const args = { currency: 'USD', curve_family: 'government_nominal', metric: 'spot', view: 'nodes', ...asked };
    const context = { args: args as CurveArgs, now: NOW, caller: { kind: 'owner' }, labels: LABELS } as const;
    const answer = composeCurve.build(loaded, context);
    return [
      (answer?.rows ?? []).map((text) => JSON.parse(text).date),
      answer?.missingParts,
      answer?.notes?.slice(0, 1),
    ];
  };

  it('are all maturities that there are, so a common date is known without a catalogue', () => {
    const made = ['Made of the 2 maturities with stored yields; the service may know more.'];
    expect(built(files, { as_of: at('2026-11-21T00:00:00Z') })).toEqual([['2026-11-19', '2026-11-19'], [], made]);
    const list = { endpoint: 'data_catalogue', scope: { currency: 'USD' }, exact: true };
    const [rows, missingParts] = built([...files, tenYear], { as_of: at('2026-11-21T00:00:00Z') });
    expect([rows, missingParts]).toEqual([[], [{ series: list }]]);
  });

  it('that are all older than asked name the day that has the newest of them', () => {
    const old = [{ ...oldTwenty, ref: { ...oldTwenty.ref, origin: 'import:Treasury' } }];
    expect(built(old, { max_staleness_days: 7 })).toEqual([
      [],
      [],
      ['No stored yield is recent enough: the stored yields end on 2026-09-21. --date 2026-09-21 shows them.'],
    ]);
  });
});
