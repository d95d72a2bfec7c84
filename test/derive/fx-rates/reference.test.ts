import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { composeReference, type ReferenceArgs } from '../../../src/derive/fx/reference.ts';
import { answer, imported, observed, told } from './world.ts';

const DEFAULTS: Omit<ReferenceArgs, 'base' | 'quote'> = {
  date: undefined,
  start_date: '2025-11-21',
  end_date: '2026-11-21',
  source: undefined,
  timestamp_type: undefined,
  native_only: false,
  include_source_legs: true,
  order: 'timestamp_asc',
  limit: 100,
  offset: 0,
};

function ask(pair: string, loaded: readonly LoadedSeries[], args: Partial<ReferenceArgs> = {}) {
  const [base = '', quote = ''] = pair.split('/');
  return answer(composeReference, { base, quote, ...DEFAULTS, ...args }, loaded);
}

const eurUsd = observed('EUR/USD', 'ecb', [
  ['2026-11-19', '2026-11-19T13:15:00Z', 1.15],
  ['2026-11-20', '2026-11-20T13:15:00Z', 1.1502],
]);
const eurJpy = observed('EUR/JPY', 'ecb', [
  ['2026-11-19', '2026-11-19T13:15:00Z', 179.9],
  ['2026-11-20', '2026-11-20T13:15:00Z', 180.12],
]);
/** One answer of the service that is not proven to be all: other series complete it. */
const usdJpy = observed('USD/JPY', 'tokyo', [['2026-11-20', '2026-11-20T00:55:00Z', 156.5]], { proven: false });

describe('the reference rates of a pair', () => {
  it('of a window are those of its own dates, however much of the series is kept beside them', () => {
    const held = (quote: string, vals: readonly string[]): LoadedSeries => {
      const all = imported(
        quote,
        ['2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17'].map((date, i) => [date, vals[i] ?? '']),
      );
      // The file has no rate of one day.
      const whole = all.rows.filter(({ columns }) => columns.date !== (quote === 'JPY' ? '2026-11-18' : ''));
      return { ...all, rows: whole.filter(({ columns }) => String(columns.date) >= '2026-11-18') };
    };
    const loaded = [held('USD', ['1.25', '1.2', '1.15', '1.1']), held('JPY', ['180', '186', '190', '198'])];
    const shown = (pair: string, from: string) =>
      ask(pair, loaded, { start_date: from })?.data.map((row) => [row.date, row.timestamp_utc, row.price]);
    expect([shown('EUR/USD', '2026-11-18'), shown('EUR/USD', '2026-11-18')]).toEqual([
      [
        ['2026-11-18', '2026-11-18T15:00:00Z', 1.15],
        ['2026-11-19', '2026-11-19T15:00:00Z', 1.2],
        ['2026-11-20', '2026-11-20T15:00:00Z', 1.25],
      ],
      [
        ['2026-11-18', '2026-11-18T15:00:00Z', 1.15],
        ['2026-11-19', '2026-11-19T15:00:00Z', 1.2],
        ['2026-11-20', '2026-11-20T15:00:00Z', 1.25],
      ],
    ]);
    // 186 / 1.2 and 180 / 1.25.
    expect(shown('USD/JPY', '2026-11-18')).toEqual([
      ['2026-11-19', '2026-11-19T15:00:00Z', 155],
      ['2026-11-20', '2026-11-20T15:00:00Z', 144],
    ]);
  });

  it('are the rows of the service as it spelled them, in order of time', () => {
    const rows = [
      '{"date":"2026-11-20","timestamp_utc":"2026-11-20T08:00:00Z","timestamp_type":"fixing","price":1.1500,"source":{"id":"a"},"x":[1.0]}',
      '{"date":"2026-11-20","timestamp_utc":"2026-11-20T13:15:00Z","timestamp_type":"fixing","price":1.1502,"source":{"id":"b"}}',
    ];
    const series = told(
      'fx_reference_rates',
      { base: 'EUR', quote: 'USD' },
      rows.map((text) => JSON.parse(text)),
      {
        texts: rows,
      },
    );
    expect(ask('EUR/USD', [series])?.rows).toEqual(rows);
  });

  it('turned round are one over the published rate', () => {
    // The example of the specification: 1 / 1.1502 = 0.86941401...
    expect(ask('USD/EUR', [eurUsd], { date: '2026-11-20' })?.data).toEqual([
      {
        date: '2026-11-20',
        timestamp_utc: '2026-11-20T13:15:00Z',
        timestamp_type: 'fixing',
        price: 0.869414,
        val: 0.869414,
        source: { id: 'ecb', name: 'Bank ecb', is_official: true },
        source_pair: 'EUR/USD',
        is_derived: true,
        derivation_method: 'inverse_of_direct_pair',
        pair_consistency_check: 'passed',
        source_legs: [{ pair: 'EUR/USD', source: 'ecb', timestamp_utc: '2026-11-20T13:15:00Z', price: 1.1502 }],
      },
    ]);
  });

  it('crossed take both legs from one source at one moment', () => {
    // 180.12 / 1.1502 = 156.59885237...; 179.9 / 1.15 = 156.43478260...
    const { data } = ask('USD/JPY', [eurUsd, eurJpy, usdJpy]) ?? { data: [] };
    expect(data.map((row) => [row.timestamp_utc, row.price, row.source.id, row.derivation_method])).toEqual([
      ['2026-11-19T13:15:00Z', 156.434783, 'ecb', 'cross_via_anchor'],
      ['2026-11-20T00:55:00Z', 156.5, 'tokyo', 'direct_original_pair'],
      ['2026-11-20T13:15:00Z', 156.598852, 'ecb', 'cross_via_anchor'],
    ]);
    expect(data[2]).toMatchObject({
      source_pair: 'EUR/USD,EUR/JPY',
      anchor_currency: 'EUR',
      pair_consistency_check: 'passed',
      source_legs: [
        { pair: 'EUR/USD', price: 1.1502 },
        { pair: 'EUR/JPY', price: 180.12 },
      ],
    });
    const later = observed('EUR/JPY', 'ecb', [['2026-11-20', '2026-11-20T13:16:00Z', 180.12]]);
    const other = observed('EUR/JPY', 'boj', [['2026-11-20', '2026-11-20T13:15:00Z', 180.12]]);
    expect(ask('USD/JPY', [eurUsd, later])?.data).toEqual([]);
    expect(ask('USD/JPY', [eurUsd, other])?.data).toEqual([]);
  });

  it('of one source and moment are one, the nearest to what was published', () => {
    const same = observed('USD/JPY', 'ecb', [['2026-11-20', '2026-11-20T13:15:00Z', 156.6]], { proven: false });
    const twice = observed('JPY/USD', 'ecb', [['2026-11-20', '2026-11-20T13:15:00Z', 0.006386]]);
    const { data } = ask('USD/JPY', [eurUsd, eurJpy, same, twice], { date: '2026-11-20' }) ?? { data: [] };
    expect(data.map((row) => [row.price, row.derivation_method])).toEqual([[156.6, 'direct_original_pair']]);
  });

  it('never follow from rows that were derived themselves', () => {
    const derived = observed('EUR/USD', 'ecb', [['2026-11-20', '2026-11-20T13:15:00Z', 1.1502]], {
      row: { is_derived: true, source_pair: 'USD/EUR', derivation_method: 'inverse_of_direct_pair' },
    });
    expect(ask('USD/EUR', [derived])?.data).toEqual([]);
  });

  it('are unknown when nothing leads to the pair', () => {
    expect(ask('USD/JPY', [eurUsd])).toBeUndefined();
  });
});

describe('a question', () => {
  const all = [eurUsd, eurJpy, usdJpy];
  const prices = (args: Partial<ReferenceArgs>) => ask('USD/JPY', all, args)?.data.map(({ price }) => price);

  it('for a date beats the window', () => {
    expect(prices({ date: '2026-11-19' })).toEqual([156.434783]);
    expect(ask('USD/JPY', all, { date: '2026-11-19' })?.envelope).toMatchObject({
      start_date: '2026-11-19',
      end_date: '2026-11-19',
    });
    expect(prices({ start_date: '2026-11-20', end_date: '2026-11-20' })).toEqual([156.5, 156.598852]);
  });

  it('for a source has its rows alone; an unknown one has none', () => {
    expect(prices({ source: 'tokyo' })).toEqual([156.5]);
    expect(ask('USD/JPY', all, { source: 'nobody' })).toMatchObject({
      total: 0,
      rows: [],
      envelope: { coverage: { sources: [] } },
    });
  });

  it('for a kind of time has both spellings of it', () => {
    const official = observed('EUR/USD', 'fed', [['2026-11-20', '2026-11-20T17:00:00Z', 1.151]], {
      type: 'official_published',
    });
    const own = told(
      'fx_reference_rates',
      { base: 'EUR', quote: 'USD' },
      [...eurUsd.rows, ...official.rows].map(({ text }) => JSON.parse(text)),
    );
    expect(ask('EUR/USD', [own], { timestamp_type: 'published' })?.data.map(({ price }) => price)).toEqual([1.151]);
    expect(ask('EUR/USD', [own], { timestamp_type: 'fixing' })?.data.map(({ price }) => price)).toEqual([1.15, 1.1502]);
  });

  it('for native rows leaves the derived ones out', () => {
    expect(prices({ native_only: true })).toEqual([156.5]);
    expect(ask('USD/EUR', all, { native_only: true })?.total).toBe(0);
  });

  it('without legs has rows without legs, those of the service too', () => {
    const text =
      '{"date":"2026-11-20","timestamp_utc":"2026-11-20T13:15:00Z","timestamp_type":"fixing","price":0.5,"source":{"id":"a"},"source_legs":[{"pair":"X/Y"}],"y":2.0}';
    const own = told('fx_reference_rates', { base: 'USD', quote: 'EUR' }, [JSON.parse(text)], { texts: [text] });
    expect(ask('USD/EUR', [own], { include_source_legs: false })?.rows[0]).toBe(
      '{"date":"2026-11-20","timestamp_utc":"2026-11-20T13:15:00Z","timestamp_type":"fixing","price":0.5,"source":{"id":"a"},"y":2.0}',
    );
    expect(ask('USD/JPY', all, { include_source_legs: false })?.rows.join()).not.toContain('source_legs');
  });

  it('can be asked in four orders', () => {
    const late = observed('EUR/USD', 'bank', [['2026-11-18', '2026-11-20T16:00:00Z', 1.14]]);
    const own = told(
      'fx_reference_rates',
      { base: 'EUR', quote: 'USD' },
      [...eurUsd.rows, ...late.rows].map(({ text }) => JSON.parse(text)),
    );
    const order = (name: string) => ask('EUR/USD', [own], { order: name })?.data.map(({ price }) => price);
    expect(order('timestamp_asc')).toEqual([1.15, 1.1502, 1.14]);
    expect(order('timestamp_desc')).toEqual([1.14, 1.1502, 1.15]);
    expect(order('date_asc')).toEqual([1.14, 1.15, 1.1502]);
    expect(order('date_desc')).toEqual([1.1502, 1.15, 1.14]);
  });

  it('is paged, and what it says of the window stays the same on each page', () => {
    const pages = [0, 1, 2, 3].map((offset) => ask('USD/JPY', all, { limit: 1, offset }));
    expect(pages.map((page) => page?.data.map(({ price }) => price))).toEqual([
      [156.434783],
      [156.5],
      [156.598852],
      [],
    ]);
    for (const page of pages) expect([page?.total, page?.envelope]).toEqual([3, pages[0]?.envelope]);
  });
});

describe('what stands beside the rows', () => {
  it('names each source with its rows, their dates and usual times, summer and winter', () => {
    const year = observed('EUR/USD', 'ecb', [
      ['2026-03-27', '2026-03-27T13:15:00Z', 1.1],
      ['2026-03-30', '2026-03-30T12:15:00Z', 1.1],
      ...Array.from(
        { length: 18 },
        (_, i) =>
          [
            `2026-04-${String(i + 1).padStart(2, '0')}`,
            `2026-04-${String(i + 1).padStart(2, '0')}T12:15:00Z`,
            1.1,
          ] as const,
      ),
      ['2026-11-19', '2026-11-19T13:15:00Z', 1.15],
      ['2026-11-20', '2026-11-20T15:40:00Z', 1.1502],
    ]);
    // 19 of 22 at 12:15, 2 at 13:15, 1 at 15:40: a tenth of 22 is 2.2.
    expect(ask('EUR/USD', [year])?.envelope.coverage).toEqual({
      sources: [
        {
          source: 'ecb',
          name: 'Bank ecb',
          row_count: 22,
          start_date: '2026-03-27',
          end_date: '2026-11-20',
          usual_fix_times_utc: ['12:15'],
        },
      ],
    });
    expect(ask('USD/JPY', [eurUsd, eurJpy, usdJpy])?.envelope.coverage.sources).toEqual([
      {
        source: 'ecb',
        name: 'Bank ecb',
        row_count: 2,
        start_date: '2026-11-19',
        end_date: '2026-11-20',
        usual_fix_times_utc: ['13:15'],
      },
      {
        source: 'tokyo',
        name: 'Bank tokyo',
        row_count: 1,
        start_date: '2026-11-20',
        end_date: '2026-11-20',
        usual_fix_times_utc: ['00:55'],
      },
    ]);
  });

  it('tells how old and how good the rates are', () => {
    expect(ask('USD/EUR', [eurUsd])?.envelope).toMatchObject({
      base: 'USD',
      quote: 'EUR',
      pair: 'USD/EUR',
      source_policy: {
        value_field: 'price',
        legacy_daily_forex_value_field: 'val',
        request_time_upstream_fetches: false,
      },
      data_quality: {
        source_name: 'Bank ecb',
        is_derived: true,
        row_count: 2,
        requested_window_has_data: true,
        latest_available_date: '2026-11-20',
        data_lag_days: 1,
        stale_after_days: 7,
        is_stale: false,
        has_assumed_release_times: false,
      },
    });
    const stopped = ask('EUR/USD', [observed('EUR/USD', 'ecb', [['2026-10-01', '2026-10-01T12:15:00Z', 1.1]])], {
      start_date: '2026-11-01',
    });
    expect(stopped).toMatchObject({
      total: 0,
      envelope: {
        data_quality: { requested_window_has_data: false, latest_available_date: '2026-10-01', is_stale: true },
      },
    });
  });

  it('keeps members that nobody here knows', () => {
    const own = {
      ...eurUsd,
      envelope: { weather: { sky: 'blue' }, data_quality: { mood: 'good', row_count: 7 }, dataset_version: 'x' },
    };
    const envelope = ask('EUR/USD', [own])?.envelope;
    expect(envelope.weather).toEqual({ sky: 'blue' });
    expect(envelope.data_quality).toMatchObject({ mood: 'good', row_count: 2 });
    expect(envelope.dataset_version).toBeUndefined();
  });
});

describe('an imported file of the European Central Bank', () => {
  const file = [
    imported('USD', [
      ['2026-11-20', '1.1502'],
      ['2026-07-01', '1.12'],
    ]),
    imported('JPY', [['2026-11-20', '180.12']]),
  ];

  it('has one observation a date, published at an assumed 16:00 in Frankfurt', () => {
    const { data, envelope, notes } = ask('EUR/USD', file) ?? { data: [] };
    expect(
      data.map((row) => [row.date, row.timestamp_utc, row.timestamp_type, row.timestamp_assumed, row.price]),
    ).toEqual([
      ['2026-07-01', '2026-07-01T14:00:00Z', 'published', true, 1.12],
      ['2026-11-20', '2026-11-20T15:00:00Z', 'published', true, 1.1502],
    ]);
    expect(data[0].source).toEqual({ id: 'ecb_eurofxref_daily', name: 'European Central Bank', is_official: true });
    expect(envelope.data_quality).toMatchObject({ has_assumed_release_times: true, assumed_release_time_count: 2 });
    expect(notes).toEqual([expect.stringContaining('16:00 in Frankfurt')]);
  });

  it('leads to inverse and cross rates', () => {
    expect(ask('USD/EUR', file, { date: '2026-11-20' })?.data[0].price).toBe(0.869414);
    expect(
      ask('USD/JPY', file)?.data.map(({ date, price, timestamp_assumed }) => [date, price, timestamp_assumed]),
    ).toEqual([['2026-11-20', 156.598852, true]]);
  });

  it('fills days of which the service has said nothing, and no day of which it has', () => {
    const own = observed('EUR/USD', 'ecb_eurofxref_daily', [['2026-11-20', '2026-11-20T13:15:00Z', 1.1502]], {
      proven: false,
    });
    expect(ask('EUR/USD', [own, ...file])?.data.map((row) => row.timestamp_utc)).toEqual([
      '2026-07-01T14:00:00Z',
      '2026-11-20T13:15:00Z',
    ]);
    expect(ask('EUR/USD', [{ ...own, proven: true }, ...file])?.total).toBe(1);
  });
});
