import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { fromService, imported, parsed } from './world.ts';

const row = (date: string, val: number | null, more = '') => `{"date":"${date}","val":${val}${more}}`;
const REVERSE = fromService('USD/EUR', [row('2026-04-10', 0.8), row('2026-04-09', 0.5), row('2026-04-08', 0.4)]);

const shown = (data: readonly { date: string; val: number; source?: { derivation_method: string } }[]) =>
  data.map(({ date, val, source }) => [date, val, source?.derivation_method]);

describe('dates that the best path lacks', () => {
  it('come from the next one, and every such row says how', () => {
    const direct = fromService('EUR/USD', [row('2026-04-13', 1.1), row('2026-04-09', 1.9)]);
    const { envelope, data, notes, total } = parsed('EUR/USD', [direct, REVERSE]);
    expect(total).toBe(4);
    expect(shown(data)).toEqual([
      ['2026-04-13', 1.1, undefined],
      ['2026-04-10', 1.25, 'inverse_of_direct_pair'],
      ['2026-04-09', 1.9, undefined],
      ['2026-04-08', 2.5, 'inverse_of_direct_pair'],
    ]);
    expect(envelope.pair_metadata).toMatchObject({
      derivation_method: 'direct_original_pair',
      source_pair: 'EUR/USD',
      direct_available: true,
      is_derived: true,
      derived_from_inverse: true,
      derived_from_cross: false,
    });
    expect(envelope.data_quality).toMatchObject({ is_derived: true, row_count: 4 });
    expect(notes).toContain('2 of 4 rates of EUR/USD are computed from USD/EUR.');
  });

  it('are those without a value, too; one that nobody has stays empty', () => {
    const direct = fromService('EUR/USD', [row('2026-04-13', null), row('2026-04-10', null)]);
    const { data } = parsed('EUR/USD', [direct, REVERSE], { start_date: '2026-04-10' });
    expect(shown(data)).toEqual([
      ['2026-04-13', null, undefined],
      ['2026-04-10', 1.25, 'inverse_of_direct_pair'],
    ]);
  });

  it('are described by the path of the newest row of the window', () => {
    const stored = { pair_metadata: { is_derived: false, source_legs: [{ pair: 'EUR/USD' }] } };
    const direct = fromService('EUR/USD', [row('2026-04-09', 1.9)], { envelope: stored });
    const { envelope } = parsed('EUR/USD', [direct, REVERSE]);
    expect(envelope.pair_metadata).toMatchObject({
      derivation_method: 'inverse_of_direct_pair',
      source_pair: 'USD/EUR',
      direct_available: true,
      is_derived: true,
    });
  });

  it('take part in technicals', () => {
    const days = Array.from({ length: 20 }, (_, i) => `2026-03-${String(30 - i).padStart(2, '0')}`);
    const reverse = fromService(
      'USD/EUR',
      days.map((date) => row(date, 0.5)),
    );
    const direct = fromService('EUR/USD', [row('2026-03-30', 2)]);
    const { envelope } = parsed('EUR/USD', [direct, reverse], { indicators: ['sma_20'], start_date: '2026-03-30' });
    expect(envelope.indicators).toEqual({ sma_20: 2 });
  });
});

it('a series without a row hides none that has some', () => {
  const empty = fromService('EUR/USD', []);
  const { envelope, data } = parsed('EUR/USD', [empty, REVERSE]);
  expect(data.map(({ val }) => val)).toEqual([1.25, 2, 2.5]);
  expect(envelope.pair_metadata).toMatchObject({
    derivation_method: 'inverse_of_direct_pair',
    direct_available: false,
  });
});

describe('dates that the file of a direct pair does not reach', () => {
  const JANUARY = { from: '2026-01-01', to: '2026-01-31' };
  /** A file of one month, closed at both ends. */
  const month = (pair: string, rates: readonly (readonly [string, string])[]): LoadedSeries => {
    const [base = '', quote = ''] = pair.split('/');
    const coverage = { ranges: [JANUARY], isOpen: false };
    return {
      ...imported(quote, rates),
      ref: { origin: 'import:NBP', endpoint: 'forex', scope: { base, quote } },
      coverage,
    };
  };
  const counted = (all: readonly LoadedSeries[]) =>
    all.map((one) => ({ ...one, ref: { ...one.ref, rows: one.rows.length } }));
  const direct = month('PLN/CAD', [['2026-01-05', '0.38']]);
  const legs = [
    imported('PLN', [
      ['2026-02-02', '4'],
      ['2026-01-05', '4'],
    ]),
    imported('CAD', [
      ['2026-02-02', '1.6'],
      ['2026-01-05', '1.6'],
    ]),
  ];

  it('come from files of other paths, however few these have, and nothing is lacking', () => {
    const { data, missingParts } = parsed('PLN/CAD', counted([direct, ...legs]));
    expect(shown(data)).toEqual([
      ['2026-02-02', 0.4, 'cross_via_anchor'],
      ['2026-01-05', 0.38, 'direct_original_pair'],
    ]);
    expect(missingParts).toEqual([]);
  });

  it('are those outside of it alone: a day that it covers without a rate has none, whatever else was asked', () => {
    const holiday = [
      imported('PLN', [
        ['2026-02-02', '4'],
        ['2026-01-06', '4'],
        ['2026-01-05', '4'],
      ]),
      imported('CAD', [
        ['2026-02-02', '1.6'],
        ['2026-01-06', '1.2'],
        ['2026-01-05', '1.6'],
      ]),
    ];
    const windows = [{}, { start_date: '2026-01-01', end_date: '2026-01-31' }, { start_date: '2026-01-06' }];
    const dates = windows.map((window) =>
      parsed('PLN/CAD', counted([direct, ...holiday]), window).data.map(({ date }) => date),
    );
    expect(dates).toEqual([['2026-02-02', '2026-01-05'], ['2026-01-05'], ['2026-02-02']]);
  });

  it('come from files of other paths before its first rate, though its publisher has none there', () => {
    const whole = { ...direct, coverage: { ranges: [{ from: '0000-01-01', to: '2026-01-31' }], isOpen: true } };
    const older = [
      imported('PLN', [
        ['2026-01-05', '4'],
        ['2025-12-31', '4'],
      ]),
      imported('CAD', [
        ['2026-01-05', '1.6'],
        ['2025-12-31', '1.2'],
      ]),
    ];
    const windows = [
      { start_date: '2025-12-01', end_date: '2026-01-31' },
      { start_date: '2025-12-01', end_date: '2025-12-31' },
      { start_date: '2025-01-01', end_date: '2025-06-30' },
    ];
    const answers = windows.map((window) => {
      const all = counted([whole, ...older]).map((one) => {
        const rows = one.rows.filter(({ columns: { date } }) => {
          return String(date) >= window.start_date && String(date) <= window.end_date;
        });
        return { ...one, ref: { ...one.ref, rows: rows.length } };
      });
      const { data, missingParts } = parsed('PLN/CAD', all, window);
      return [data.map(({ date, val }) => [date, val]), missingParts];
    });
    expect(answers).toEqual([
      [
        [
          ['2026-01-05', 0.38],
          ['2025-12-31', 0.3],
        ],
        [],
      ],
      [[['2025-12-31', 0.3]], []],
      [[], []],
    ]);
  });

  it('are lacking where no other file has them', () => {
    const { data, missingParts } = parsed('PLN/CAD', [direct], { start_date: '2026-01-01', end_date: '2026-02-28' });
    expect(data).toHaveLength(1);
    const series = { endpoint: 'forex', scope: { base: 'PLN', quote: 'CAD' }, exact: true };
    expect(missingParts).toEqual([{ series, range: { from: '2026-02-01', to: '2026-02-28' } }]);
  });

  it('come from files where the service was not asked for them, and its few rows take none away', () => {
    const own = { ...fromService('PLN/CAD', [row('2026-01-05', 0.37)]), coverage: direct.coverage };
    const { data, missingParts } = parsed('PLN/CAD', counted([own, ...legs]), {
      start_date: '2026-01-01',
      end_date: '2026-02-28',
    });
    expect(shown(data)).toEqual([
      ['2026-02-02', 0.4, 'cross_via_anchor'],
      ['2026-01-05', 0.37, undefined],
    ]);
    expect(missingParts).toEqual([]);
  });
});
