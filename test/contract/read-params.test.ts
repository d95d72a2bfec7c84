import { describe, expect, it } from 'vitest';
import { readParams } from '../../src/contract/params/read-params.ts';
import { MAIN_CURRENCIES } from '../../src/contract/words/words.ts';
import { TECHNICAL_NAMES } from '../../src/derive/technicals/table.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

function read(
  id: string,
  path: Record<string, string>,
  query: Record<string, string> = {},
  mode: 'strict' | 'liberal' = 'strict',
) {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  return readParams(endpoint, { path, query }, { mode, now });
}

function errorOf(run: () => unknown): MacroError {
  try {
    run();
  } catch (error) {
    if (error instanceof MacroError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('readParams', () => {
  it('ends default windows at the moment of as_of, and refuses a later one than now', () => {
    const windowAt = (as_of: string) => {
      const { args } = read('rate_differentials', { base: 'eur', quote: 'usd' }, { as_of });
      return [args.start_date, args.end_date];
    };
    expect(windowAt('2026-03-01')).toEqual(['2025-03-01', '2026-03-01']);
    expect(() => windowAt('2027-03-01')).toThrow('as_of must not be in the future');
  });

  it('fills in defaults, upper-cases codes, lower-cases slugs', () => {
    expect(read('announcements', { currency: 'usd', indicator: 'Inflation' }).args).toEqual({
      currency: 'USD',
      indicator: 'inflation',
      start_date: '2025-11-21',
      end_date: '2026-11-21',
      limit: 20,
      offset: 0,
      revisions: 'latest',
      series_mode: 'raw',
      value_mode: 'normalized',
      official_only: true,
      availability: 'public',
    });
  });

  it('lets page beat offset', () => {
    const { args } = read('forex', { base: 'EUR', quote: 'USD' }, { page: '3', offset: '7', limit: '50' });
    expect([args.offset, args.limit, args.page]).toEqual([100, 50, undefined]);
  });

  it('expands all and drops blanks and repeats of a list', () => {
    const indicators = (raw: string) =>
      read('forex', { base: 'EUR', quote: 'USD' }, { indicators: raw }).args.indicators;
    expect(indicators('all')).toEqual(TECHNICAL_NAMES);
    expect(indicators(' sma_20,,rsi_14,sma_20')).toEqual(['sma_20', 'rsi_14']);
  });

  it('keeps the name that a zone was asked by, and takes no offset for one', () => {
    const zone = (timezone: string) => read('calendar', { currency: 'USD' }, { timezone }).args.timezone;
    expect(['Asia/Kolkata', 'europe/london', 'US/Eastern'].map(zone)).toEqual([
      'Asia/Kolkata',
      'Europe/London',
      'US/Eastern',
    ]);
    for (const offset of ['+05:30', '-03', 'Mars/Olympus'])
      expect(errorOf(() => zone(offset)).findings).toMatchObject([{ loc: ['query', 'timezone'], type: 'value_error' }]);
  });

  it('takes start and end as silent synonyms', () => {
    const { args } = read('risk_sentiment', {}, { start: '2026-01-01', end: '2026-02-01' });
    expect([args.start_date, args.end_date]).toEqual(['2026-01-01', '2026-02-01']);
  });

  it('reports all findings at once, in the words of the service', () => {
    // The body of the limit finding is that of docs/interface-access.md#errors.
    const error = errorOf(() =>
      read(
        'forex',
        { base: 'EUR', quote: 'EUR' },
        { limit: '500', offset: '-1', start_date: '2026-02-30', indicators: 'smaa' },
      ),
    );
    expect([error.kind, error.status]).toEqual(['usage', 422]);
    expect(error.findings.map((f) => [f.loc.join('.'), f.type, f.input])).toEqual([
      ['query.start_date', 'date_from_datetime_parsing', '2026-02-30'],
      ['query.indicators', 'enum', 'smaa'],
      ['query.limit', 'less_than_equal', '500'],
      ['query.offset', 'greater_than_equal', '-1'],
      ['path.quote', 'value_error', 'EUR'],
    ]);
    expect(error.findings[2]).toEqual({
      loc: ['query', 'limit'],
      msg: 'Input should be less than or equal to 100',
      type: 'less_than_equal',
      input: '500',
      ctx: { le: 100 },
    });
  });

  it.each([
    ['5', 5],
    ['+5', 5],
    ['05', 5],
  ])('reads the integer %s', (raw, value) => expect(read('risk_sentiment', {}, { limit: raw }).args.limit).toBe(value));
  it.each(['', '5.0', 'five', '1e1', '0x5'])('refuses the integer %j', (raw) => {
    const [finding] = errorOf(() => read('risk_sentiment', {}, { limit: raw })).findings;
    expect(finding?.type).toBe('int_parsing');
  });

  it('refuses a window that ends before it starts, but not one that starts in the future', () => {
    const wrong = errorOf(() => read('risk_sentiment', {}, { start_date: '2026-05-02', end_date: '2026-05-01' }));
    expect(wrong.findings.map((f) => f.type)).toEqual(['value_error']);
    expect(read('risk_sentiment', {}, { start_date: '2027-01-01' }).args.start_date).toBe('2027-01-01');
  });

  it('answers 404 for an unknown currency where the specification says so, 422 elsewhere', () => {
    const missing = errorOf(() => read('data_catalogue', { currency: 'XYZ' }));
    expect([missing.kind, missing.status, missing.code, missing.message]).toEqual([
      'notFound',
      404,
      'unknown_currency',
      'Unsupported currency: XYZ',
    ]);
    const invalid = errorOf(() => read('forex', { base: 'XYZ', quote: 'USD' }));
    expect([invalid.status, invalid.findings[0]?.type]).toEqual([422, 'enum']);
  });

  it('suggests the slug that was meant', () => {
    const error = errorOf(() => read('announcements', { currency: 'USD', indicator: 'inflatoin' }));
    expect(error.message).toBe("Unknown indicator 'inflatoin' for USD. Did you mean 'inflation'?");
    expect(error.extra).toEqual({ suggestions: ['inflation'] });
  });

  it('lets words outside the tables through on the terminal, with a note', () => {
    const { args, notes } = read('forex', { base: 'EUR', quote: 'CZK' }, {}, 'liberal');
    expect(args.quote).toBe('CZK');
    expect(notes).toEqual([
      `CZK is none of the ${MAIN_CURRENCIES.length} currencies known for this route. Known are ${MAIN_CURRENCIES.join(', ')}.`,
    ]);
  });

  it('says which word was probably meant', () => {
    const { notes } = read('forex', { base: 'EUR', quote: 'UDS' }, {}, 'liberal');
    expect(notes).toEqual(['UDS is none of the 18 currencies known for this route. Did you mean USD?']);
  });

  it('lets a word outside the tables through where the mirror holds it', () => {
    const endpoint = endpointById('forex');
    if (!endpoint) throw new Error('no forex');
    const raw = { path: { base: 'EUR', quote: 'CZK' }, query: {} };
    const { args } = readParams(endpoint, raw, { mode: 'strict', now, holds: (_, code) => code === 'CZK' });
    expect(args.quote).toBe('CZK');
  });

  it.each(['eu', 'euros', 'e1r', ''])('refuses %j as a code on the terminal too', (word) => {
    const error = errorOf(() => read('forex', { base: word, quote: 'USD' }, {}, 'liberal'));
    expect(error.findings[0]?.type).toBe('string_pattern_mismatch');
  });
});
