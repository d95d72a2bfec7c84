import { describe, expect, it } from 'vitest';
import { maturityOfLabel, maturityOfSlug, maturityOfYears, slugOfMaturity } from '../../../src/derive/rates/rates.ts';

describe('maturities', () => {
  it.each([
    ['gov_bond_10y', '10Y', 10],
    ['gov_bond_1y', '1Y', 1],
    ['gov_bond_3m', '3M', 0.25],
    ['gov_bond_1_5m', '1.5M', 0.125],
  ])('%s is %s', (slug, label, years) => {
    expect(maturityOfSlug(slug)).toEqual({ label, years });
    expect(maturityOfLabel(label)).toEqual({ label, years });
    expect(slugOfMaturity({ label, years })).toBe(slug);
  });

  it.each(['inflation', 'gov_bond', 'gov_bond_10', 'inflation_linked_bond', 'gov_bond_10y_real'])(
    '%s is none',
    (slug) => {
      expect(maturityOfSlug(slug)).toBeUndefined();
    },
  );

  it.each([
    [2, '2Y'],
    [0.25, '3M'],
    [0.125, '1.5M'],
    [1 / 12, '1M'],
    [2.5, '2.5Y'],
    [30, '30Y'],
  ])('%d years are %s', (years, label) => expect(maturityOfYears(years).label).toBe(label));
});
