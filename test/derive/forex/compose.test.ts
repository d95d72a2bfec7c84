import { describe, expect, it } from 'vitest';
import { toJsonText } from '../../../src/contract/json/json.ts';
import { TECHNICAL_NAMES } from '../../../src/derive/technicals/table.ts';
import { pencilDivide, written } from './pencil.ts';
import { ask, ecbLeg, ecbSeries, fromService, hasEcbFile, imported, parsed, readEcbFile } from './world.ts';

const usd = imported('USD', [
  ['2026-04-13', '1.1684'],
  ['2026-04-10', '1.1711'],
  ['2026-04-09', '1.10'],
]);
const gbp = imported('GBP', [
  ['2026-04-13', '0.87058'],
  ['2026-04-09', '0.87053'],
]);
const jpy = imported('JPY', [
  ['2026-04-13', '186.75'],
  ['2026-04-10', '186.43'],
  ['2026-04-09', '185.7'],
]);

describe('a pair that a bulk file holds', () => {
  it('is answered with whole rows', () => {
    expect(parsed('EUR/USD', [usd], { limit: 1 }).data).toEqual([
      {
        date: '2026-04-13',
        val: 1.1684,
        observation_datetime: 1776038400,
        observation_datetime_iso: '2026-04-13T00:00:00Z',
        observation_datetime_precision: 'date',
        source: {
          source_pair: 'EUR/USD',
          source_legs: [ecbLeg('USD')],
          is_derived: false,
          derivation_method: 'direct_original_pair',
          pair_consistency_check: 'passed',
        },
      },
    ]);
  });

  it('spells rates as floats in shortest form', () => {
    const series = imported('JPY', [
      ['2026-04-13', '186.00'],
      ['2026-04-10', '186.10'],
    ]);
    expect(ask('EUR/JPY', [series])?.rows.map((row) => row.slice(0, 36))).toEqual([
      '{"date":"2026-04-13","val":186.0,"ob',
      '{"date":"2026-04-10","val":186.1,"ob',
    ]);
  });

  it('is described by the members of the specification', () => {
    const { envelope } = parsed('EUR/USD', [usd]);
    expect(envelope).toEqual({
      base: 'EUR',
      quote: 'USD',
      source: 'European Central Bank',
      provenance: {
        publisher: 'European Central Bank',
        publisher_url: 'https://bank.test/rates',
        storage: 'test mirror',
        served_by: '/v1/forex/{base}/{quote}',
        timestamp_field: 'date',
        value_field: 'val',
      },
      pair_metadata: {
        direct_available: true,
        inverse_available: false,
        derived_from_inverse: false,
        derived_from_cross: false,
        derived_from_source_legs: false,
        is_derived: false,
        derivation_method: 'direct_original_pair',
        source_pair: 'EUR/USD',
        source_legs: [ecbLeg('USD')],
        pair_consistency_check: 'passed',
      },
      data_quality: {
        source_name: 'Euro foreign exchange reference rates',
        source_type: 'official',
        is_derived: false,
        datetime_field: 'date',
        datetime_precision: 'date',
        source_legs: [ecbLeg('USD')],
        row_count: 3,
        requested_window_has_data: true,
        latest_available_date: '2026-04-13',
        data_lag_days: 1,
        stale_after_days: 7,
        is_stale: false,
      },
      start_date: '1999-01-01',
      end_date: '2026-04-14',
      coverage: { scope: 'requested_range' },
      daily_ohlc_basis: expect.stringContaining('not executable-market candles'),
      technical_indicator_basis: expect.stringContaining('whole daily history'),
    });
  });
});

describe('a pair whose reverse is held', () => {
  it('says so, used or not, and whatever a stored answer said before it was held', () => {
    const envelope = { pair_metadata: { inverse_available: false } };
    const direct = fromService('EUR/USD', ['{"date":"2026-04-13","val":1.25}'], { envelope });
    const reverse = fromService('USD/EUR', ['{"date":"2026-04-13","val":0.8}']);
    const told = (pair: string, held: Parameters<typeof parsed>[1]) =>
      parsed(pair, held).envelope.pair_metadata.inverse_available;
    expect([told('EUR/USD', [direct, reverse]), told('EUR/USD', [direct]), told('USD/EUR', [direct])]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('the inverse of a held pair', () => {
  const answer = parsed('USD/EUR', [usd]);

  it('is one over the published rate, half to even at 6 decimals', () => {
    // 1 / 1.1684 = 0.855871276...; 1 / 1.1711 = 0.853898044...; 1 / 1.10 = 0.909090909...
    expect(answer.data.map(({ date, val }) => [date, val])).toEqual([
      ['2026-04-13', 0.855871],
      ['2026-04-10', 0.853898],
      ['2026-04-09', 0.909091],
    ]);
  });

  it('has 8 decimals below 0.01', () => {
    // 1 / 186.75 = 0.00535475234...
    expect(parsed('JPY/EUR', [jpy], { limit: 1 }).data[0].val).toBe(0.00535475);
  });

  it('says what it was computed from', () => {
    expect(answer.data[0].source).toEqual({
      source_pair: 'EUR/USD',
      source_legs: [ecbLeg('USD')],
      is_derived: true,
      derivation_method: 'inverse_of_direct_pair',
      pair_consistency_check: 'passed',
    });
    expect(answer.envelope).toMatchObject({
      base: 'USD',
      quote: 'EUR',
      pair_metadata: {
        direct_available: false,
        inverse_available: true,
        derived_from_inverse: true,
        is_derived: true,
        source_pair: 'EUR/USD',
      },
      data_quality: { is_derived: true },
    });
    expect(answer.notes).toContain('USD/EUR is computed from EUR/USD.');
  });
});

describe('a cross', () => {
  const answer = parsed('GBP/JPY', [gbp, jpy]);

  it('is the exact ratio of the legs on the dates that both have', () => {
    // 186.75 / 0.87058 = 214.51216430...; 185.7 / 0.87053 = 213.31832332...
    expect(answer.data.map(({ date, val }) => [date, val])).toEqual([
      ['2026-04-13', 214.512164],
      ['2026-04-09', 213.318323],
    ]);
  });

  it('names both legs and the anchor', () => {
    expect(answer.data[0].source).toEqual({
      source_pair: 'EUR/GBP,EUR/JPY',
      source_legs: [ecbLeg('GBP'), ecbLeg('JPY')],
      is_derived: true,
      derivation_method: 'cross_via_anchor',
      pair_consistency_check: 'passed',
      anchor_currency: 'EUR',
    });
    expect(answer.envelope).toMatchObject({
      pair_metadata: {
        direct_available: false,
        inverse_available: false,
        derived_from_cross: true,
        derived_from_source_legs: true,
        derivation_method: 'cross_via_anchor',
        anchor_currency: 'EUR',
        source_legs: [ecbLeg('GBP'), ecbLeg('JPY')],
      },
    });
  });

  it('tells how many dates it leaves out', () => {
    expect(answer.notes).toContain('1 date is left out: EUR/GBP and EUR/JPY do not both have a rate there.');
  });

  it('multiplies legs that are held the other way round', () => {
    const first = fromService('GBP/USD', ['{"date":"2026-04-13","val":1.3}']);
    const second = fromService('JPY/USD', ['{"date":"2026-04-13","val":0.0063}']);
    // 1.3 / 0.0063 = 206.349206349...
    expect(parsed('GBP/JPY', [first, second]).data[0].val).toBe(206.349206);
  });
});

describe('rows that came over the wire', () => {
  const peg =
    '{"date": "2026-04-13","val":3.6410,"x":[1.0],"sma_20":1.5,"source":{"source_pair":"USD/DKK","is_derived":true,"derivation_method":"peg","source_legs":[{"pair":"USD/DKK","source_frequency":"peg"}]}}';
  const series = fromService('USD/DKK', [peg, '{"date":"2026-04-10","val":3.64}'], {
    envelope: {
      source: 'Example Dataset',
      provenance: { publisher: 'Example', storage: 'their store', timestamp_field: 'date', value_field: 'val' },
      pair_metadata: {
        inverse_available: true,
        is_derived: true,
        derivation_method: 'peg',
        pair_consistency_check: 'passed',
      },
      data_quality: { source_name: 'Example', is_fallback: false, row_count: 1 },
      weather: { sky: 'blue' },
      pagination: { total_count: 7 },
      dataset_version: 'ab',
      indicators: { sma_20: 1.5 },
    },
  });

  it('keep their own spelling and labels', () => {
    const untouched = peg.replace('"sma_20":1.5,', '').replace('{"date": "', '{"date":"');
    expect(ask('USD/DKK', [series])?.rows).toEqual([untouched, '{"date":"2026-04-10","val":3.64}']);
  });

  it('get the technicals of this question in place of those of another', () => {
    expect(parsed('USD/DKK', [series], { indicators: ['sma_20', 'stochastic_14_3'], limit: 1 }).data[0]).toEqual({
      ...JSON.parse(peg),
      sma_20: null,
      stoch_k_14: null,
      stoch_d_3: null,
    });
  });

  it('keep the members beside them that are not computed here', () => {
    const { envelope } = parsed('USD/DKK', [series]);
    expect(envelope).toMatchObject({
      weather: { sky: 'blue' },
      provenance: { publisher: 'Example', storage: 'their store' },
      pair_metadata: { inverse_available: true, is_derived: true, derivation_method: 'peg' },
      data_quality: { is_fallback: false, row_count: 2 },
    });
    expect(Object.keys(envelope)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(pagination|dataset_version|indicators)$/)]),
    );
  });

  it('keep the label of a peg inside of a rate that is derived from them', () => {
    const [newest, older] = parsed('DKK/USD', [series]).data;
    expect(newest.source.source_legs).toEqual([{ pair: 'USD/DKK', source_frequency: 'peg' }]);
    expect(older.source.source_legs).toEqual([
      {
        pair: 'USD/DKK',
        source_provider: 'Example Dataset',
        source_name: 'Example',
        source_frequency: 'daily',
      },
    ]);
  });

  it('come before those of a bulk file, which fill the other dates', () => {
    const own = fromService('EUR/USD', ['{"date":"2026-04-10","val":1.2}'], { proven: false });
    const { data, envelope, notes } = parsed('EUR/USD', [usd, own]);
    expect(data.map(({ date, val }) => [date, val])).toEqual([
      ['2026-04-13', 1.1684],
      ['2026-04-10', 1.2],
      ['2026-04-09', 1.1],
    ]);
    expect(envelope.source).toBe('Example Dataset, European Central Bank');
    expect(notes).toEqual(['Rates of EUR/USD are stored from 2026-04-09 on.']);
  });
});

describe('a window', () => {
  it('without rows is an answer with every asked indicator null', () => {
    const answer = ask('EUR/USD', [usd], {
      start_date: '2026-04-11',
      end_date: '2026-04-12',
      indicators: ['sma_20', 'macd'],
    });
    expect(answer).toMatchObject({
      rows: [],
      total: 0,
      includesLatest: false,
      envelope: {
        indicators: { sma_20: null, macd: null },
        pair_metadata: { pair_consistency_check: 'not_applicable' },
        data_quality: { row_count: 0, requested_window_has_data: false, latest_available_date: '2026-04-13' },
      },
    });
  });

  it('of a flat market spells whole indicators as floats', () => {
    const flat = Array.from({ length: 30 }, (_, i): [string, string] => [
      `2026-03-${String(30 - i).padStart(2, '0')}`,
      '1',
    ]);
    const answer = ask('EUR/USD', [imported('USD', flat)], { indicators: ['rsi_14', 'sma_20'], limit: 1 });
    expect(toJsonText(answer?.envelope.indicators)).toBe('{"rsi_14":50.0,"sma_20":1.0}');
    expect(answer?.rows[0]).toContain('"sma_20":1.0,"rsi_14":50.0');
  });

  it('over nothing that is held is no answer', () => {
    expect(ask('GBP/JPY', [usd, gbp])).toBeUndefined();
  });

  it('over a series without rows is an empty answer that says so', () => {
    const answer = ask('EUR/USD', [imported('USD', [])]);
    expect(answer).toMatchObject({ rows: [], total: 0 });
    expect(answer?.notes).toContain('No rate of EUR/USD is stored.');
  });
});

describe('what a person is told', () => {
  it('is the age of a history that has stopped', () => {
    const old = imported('USD', [['2026-03-02', '1.1']]);
    const { envelope } = parsed('EUR/USD', [old], { start_date: '2026-03-01' });
    expect(envelope.data_quality).toMatchObject({ data_lag_days: 43, is_stale: true });
  });

  it('is nothing when the window is complete and fresh', () => {
    expect(ask('EUR/USD', [usd], { start_date: '2026-04-08' })?.notes).toEqual([]);
  });

  it('names rates that contradict their reverse', () => {
    const there = fromService('EUR/USD', ['{"date":"2026-04-13","val":1.1684}']);
    const back = fromService('USD/EUR', ['{"date":"2026-04-13","val":0.85}']);
    const { envelope, notes } = parsed('EUR/USD', [there, back], { start_date: '2026-04-13' });
    expect(envelope.pair_metadata).toMatchObject({ inverse_available: true, pair_consistency_check: 'failed' });
    expect(notes).toEqual(['A rate of EUR/USD in this window does not agree with its reverse.']);
  });
});

describe.skipIf(!hasEcbFile)('official euro rates', () => {
  const table = hasEcbFile ? readEcbFile() : new Map();
  const series = hasEcbFile ? ['USD', 'GBP', 'JPY', 'ILS', 'SEK'].map(ecbSeries) : [];

  it('give EUR/USD, USD/EUR and GBP/JPY of 2026-04-13', () => {
    const newest = (pair: string) => parsed(pair, series, { limit: 1 }).data[0];
    expect([newest('EUR/USD').val, newest('USD/EUR').val, newest('GBP/JPY').val]).toEqual([
      1.1684, 0.855871, 214.512164,
    ]);
  });

  it('give the same crosses with pencil and paper, on every date that both legs have', () => {
    for (const [base, quote] of [
      ['GBP', 'JPY'],
      ['JPY', 'USD'],
      ['ILS', 'SEK'],
    ] as const) {
      const expected = [...table].flatMap(([date, rates]) => {
        const [top, bottom] = [rates.get(quote), rates.get(base)];
        if (!top || !bottom) return [];
        const digits = Number(top) / Number(bottom) < 0.01 ? 8 : 6;
        return [[date, Number(`${pencilDivide(written(top), written(bottom), digits)}e-${digits}`)]];
      });
      const { data, total } = parsed(`${base}/${quote}`, series, { limit: 10_000 });
      expect(total).toBe(expected.length);
      expect(data.map(({ date, val }) => [date, val])).toEqual(expected);
      expect(new Set(data.map(({ source }) => source.pair_consistency_check))).toEqual(new Set(['passed']));
    }
  });

  it('have indicators that no window changes', () => {
    const indicators = [...TECHNICAL_NAMES];
    const whole = parsed('GBP/USD', series, { indicators, limit: 10_000 });
    const byDate = new Map(whole.data.map((row) => [row.date, row]));
    for (const [start_date, end_date] of [
      ['2026-04-01', '2026-04-14'],
      ['2010-06-01', '2010-06-30'],
      ['1999-01-01', '1999-03-31'],
    ] as const) {
      const part = parsed('GBP/USD', series, { start_date, end_date, indicators, limit: 100 });
      expect(part.data.length).toBeGreaterThan(5);
      for (const row of part.data) expect(row).toEqual(byDate.get(row.date));
      const newest = byDate.get(part.data[0].date);
      expect(part.envelope.indicators).toMatchObject({
        sma_200: newest.sma_200,
        macd: { macd: newest.macd, signal: newest.macd_signal, histogram: newest.macd_histogram },
        stochastic_14_3: { k: newest.stoch_k_14, d: newest.stoch_d_3 },
      });
    }
  });

  it('are paged with every date once', () => {
    const window = { start_date: '2025-04-14', limit: 37 };
    const expected = [...table.keys()].filter((date) => date >= '2025-04-14');
    const dates: string[] = [];
    for (let offset = 0; ; offset += 37) {
      const page = parsed('USD/JPY', series, { ...window, offset });
      expect(page.includesLatest).toBe(offset === 0);
      expect(page.total).toBe(expected.length);
      if (page.data.length === 0) break;
      dates.push(...page.data.map(({ date }) => date));
    }
    expect(dates).toEqual(expected);
  });
});

describe('a moving average whose first bars may lie in a hole', () => {
  const rates = ['2026-04-13', '2026-04-10', '2026-04-09'].map((date) => [date, '1.1'] as const);
  const asked = { indicators: ['sma_20'] };

  it('is null and lacks what lies before the first held bar', () => {
    const part = {
      ...imported('USD', rates),
      coverage: { ranges: [{ from: '2026-04-09', to: '2026-04-13' }], isOpen: true },
    };
    const composed = ask('EUR/USD', [part], { ...asked, start_date: '2026-04-10' });
    expect(JSON.parse(composed?.rows[0] ?? '').sma_20).toBe(null);
    expect(composed?.missingParts?.map(({ range }) => range)).toEqual([
      { from: '1900-01-01', to: '2026-04-08', for: 'sma_20' },
    ]);
  });

  it('is null and lacks nothing where the history has no more bars', () => {
    const composed = ask('EUR/USD', [imported('USD', rates)], { ...asked, start_date: '2026-04-10' });
    expect([JSON.parse(composed?.rows[0] ?? '').sma_20, composed?.missingParts]).toEqual([null, []]);
  });
});
