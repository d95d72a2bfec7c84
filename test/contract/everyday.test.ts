import { describe, expect, it } from 'vitest';
import { readParams } from '../../src/contract/params/read-params.ts';
import { meaningOf, nearestSlug } from '../../src/contract/words/everyday.ts';
import { COMMODITIES, INDICATORS } from '../../src/contract/words/words.ts';
import { endpointById } from '../../src/endpoints/index.ts';

const NOW = Date.parse('2026-11-21T05:46:13Z');

function read(id: string, path: Record<string, string>, mode: 'strict' | 'liberal' = 'liberal') {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`There is no endpoint ${id}`);
  return readParams(endpoint, { path, query: {} }, { mode, now: NOW });
}

describe('an everyday word at the terminal', () => {
  it.each([
    ['usd', 'cpi', 'inflation'],
    ['usd', 'NFP', 'non_farm_payrolls'],
    ['usd', 'payrolls', 'non_farm_payrolls'],
    ['usd', '10y', 'gov_bond_10y'],
    ['usd', 'unemployment-rate', 'unemployment'],
    ['usd', 'fed', 'policy_rate'],
    ['gbp', 'boe', 'policy_rate'],
    ['eur', 'ecb', 'policy_rate'],
  ])('announcements %s %s asks for %s and says so once', (currency, indicator, slug) => {
    const { args, notes } = read('announcements', { currency, indicator });
    expect(args.indicator).toBe(slug);
    expect(notes).toEqual([`${indicator} is read as ${slug}.`]);
  });

  it.each([
    ['dollar', 'USD'],
    ['Euro', 'EUR'],
    ['sterling', 'GBP'],
    ['boe', 'GBP'],
  ])('calendar %s asks for %s', (word, code) => {
    const { args, notes } = read('calendar', { currency: word });
    expect([args.currency, notes]).toEqual([code, [`${word} is read as ${code}.`]]);
  });

  it('gold is a currency code where positions are asked for, and a commodity elsewhere', () => {
    expect(read('cot', { currency: 'gold' }).args.currency).toBe('XAU');
    expect(read('announcements', { currency: 'usd', indicator: 'gold' }).notes).toEqual([
      'gold is none of the 94 indicators known for this route. macro commodities gold asks for the commodity.',
    ]);
  });

  it('the bank of another currency is not the bank of this one', () => {
    const { args, notes } = read('announcements', { currency: 'eur', indicator: 'fed' });
    expect([args.indicator, notes]).toEqual([
      'fed',
      ['fed is none of the 94 indicators known for this route. macro search fed lists similar names.'],
    ]);
  });

  it('is no word of the service: a server refuses it, and guesses the right one', () => {
    expect(() => read('announcements', { currency: 'usd', indicator: 'cpi' }, 'strict')).toThrow(
      "Unknown indicator 'cpi' for USD. Did you mean 'inflation'?",
    );
  });

  it('never takes the place of a legal one', () => {
    for (const set of [INDICATORS, COMMODITIES])
      for (const word of set) expect(meaningOf(word, { noun: 'indicator', set, currency: 'USD' })).toBeUndefined();
  });
});

describe('a guess is never a different statistic', () => {
  it.each([
    ['cpi', 'inflation'],
    ['xpi', undefined],
    ['m4', undefined],
    ['gov_bond_6y', undefined],
    ['gov_bond_10', 'gov_bond_10y'],
    ['gold', undefined],
    ['gpd', 'gdp'],
    ['inflatoin', 'inflation'],
    ['unemploymnet', 'unemployment'],
  ])('%s: %s', (typed, slug) => {
    expect(nearestSlug(typed, INDICATORS, 'USD')).toBe(slug);
  });
});
