import { describe, expect, test } from 'vitest';
import { namedSeries } from '../../src/contract/params/params.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import panel from '../../src/endpoints/announcements/panel.ts';
import { MacroError } from '../../src/errors.ts';

const WINDOW = { start_date: '2026-01-01', end_date: '2026-12-31' };

function read(query: Record<string, string>, mode: 'strict' | 'liberal' = 'strict') {
  const whole = { series: 'usd:inflation', decision_times: '2026-01-01', ...WINDOW, ...query };
  return readParams(panel, { path: {}, query: whole }, { mode, now: Date.parse('2026-11-21') });
}

function errorOf(query: Record<string, string>): MacroError {
  try {
    read(query);
  } catch (error) {
    if (error instanceof MacroError) return error;
  }
  throw new Error('nothing was thrown');
}

describe('a list of series', () => {
  test('has codes, slugs and ages, as the wire and as people write them', () => {
    const { args } = read({ series: 'usd:Inflation:060, EUR/gdp ,,jpy/inflation:0' });
    expect(args.series).toEqual(['USD:inflation:60', 'EUR:gdp', 'JPY:inflation:0']);
    expect(namedSeries('USD:inflation:60')).toEqual({ currency: 'USD', indicator: 'inflation', maxAgeDays: 60 });
    expect(namedSeries('EUR:gdp')).toEqual({ currency: 'EUR', indicator: 'gdp', maxAgeDays: undefined });
  });

  test('keeps repeats: the answer follows it item by item', () => {
    expect(read({ series: 'usd:gdp,usd:gdp' }).args.series).toEqual(['USD:gdp', 'USD:gdp']);
  });

  test.each(['', ' , ', 'usd', 'usd:', 'usdx:gdp', 'usd:gdp:x', 'usd:gdp:36501', Array(7).fill('usd:gdp').join(',')])(
    'is not %j',
    (series) => {
      expect(errorOf({ series }).findings.map(({ loc, type }) => [loc, type])).toEqual([
        [['query', 'series'], 'value_error'],
      ]);
    },
  );

  test('with a word outside the tables is 404 for the server and a note for a person', () => {
    expect(errorOf({ series: 'xyz:gdp' })).toMatchObject({
      status: 404,
      code: 'unknown_currency',
      message: 'Unsupported currency: XYZ',
    });
    expect(errorOf({ series: 'usd:gdp,eur:inflatoin' })).toMatchObject({
      status: 404,
      code: 'unknown_indicator',
      message: "Unknown indicator 'inflatoin' for EUR. Did you mean 'inflation'?",
      extra: { suggestions: ['inflation'] },
    });
    expect(read({ series: 'usd:inflatoin' }, 'liberal').notes).toEqual([
      'inflatoin is none of the 94 indicators known for this route. Did you mean inflation?',
    ]);
  });
});

describe('a list of instants', () => {
  test('is read as ISO, in its order', () => {
    const { args } = read({ decision_times: '2026-10-14T14:30:00+02:00,2026-01-01, 1791981000,2026-01-01' });
    expect(args.decision_times).toEqual([
      '2026-10-14T12:30:00Z',
      '2026-01-01T00:00:00Z',
      '2026-10-14T12:30:00Z',
      '2026-01-01T00:00:00Z',
    ]);
  });

  test.each(['', 'soon', '2026-01-01,2026-02-30'])('is not %j', (decision_times) => {
    expect(errorOf({ decision_times }).findings.map(({ type }) => type)).toEqual(['value_error']);
  });
});

test('everything that is needed is named at once', () => {
  const error = (() => {
    try {
      readParams(panel, { path: {}, query: {} }, { mode: 'strict', now: 0 });
    } catch (caught) {
      return caught;
    }
  })();
  expect((error as MacroError).findings.map(({ loc, type }) => [loc.at(-1), type])).toEqual(
    ['series', 'decision_times', 'start_date', 'end_date'].map((name) => [name, 'missing']),
  );
});
