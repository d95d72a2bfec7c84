import { describe, expect, it } from 'vitest';
import { coverageRulesOf, withWindow } from '../../../src/source/read-coverage.ts';
import { endpointOf, series } from './stored.ts';

describe('the series that stand for an answer', () => {
  it('are all of them where the endpoint has no rule', () => {
    const picked = [series('cot', { currency: 'EUR' }), series('cot', { currency: 'USD' }, { id: 2 })];
    expect(coverageRulesOf({ endpoint: endpointOf('cot'), args: {} }, picked)).toEqual({ series: picked });
    const changes = [series('announcements_changes')];
    expect(coverageRulesOf({ endpoint: endpointOf('announcements_changes'), args: {} }, changes)).toEqual({
      series: changes,
    });
  });

  it('are those that the endpoint names, as the mirror holds them', () => {
    const contracts = series('settlement_contracts');
    const picked = [series('announcements', { currency: 'USD', indicator: 'inflation' }, { id: 2 }), contracts];
    const rule = coverageRulesOf({ endpoint: endpointOf('settlement_contracts'), args: {} }, picked);
    expect(rule).toEqual({ series: [contracts] });
  });

  it('are asked for another window where the endpoint says so', () => {
    const rate = series('forex', { base: 'EUR', quote: 'USD' });
    const args = { base: 'EUR', quote: 'USD', start_date: '2026-01-01', end_date: '2026-11-21', indicators: ['rsi'] };
    expect(coverageRulesOf({ endpoint: endpointOf('forex'), args }, [rate])).toEqual({
      series: [rate],
      window: { start_date: '1900-01-01', end_date: '2026-11-21' },
    });
  });

  it('are none where nothing can tell that the answer is complete', () => {
    const latest = [series('announcements', { currency: 'USD', indicator: 'inflation' })];
    // A list of the newest releases of a currency: no series tells which indicators there are besides.
    const recent = { endpoint: endpointOf('announcements_recent'), args: { currency: 'USD' } };
    expect(coverageRulesOf(recent, latest)).toBeUndefined();
    // Named as the one that would stand for the answer, and not held.
    const overview = { endpoint: endpointOf('announcements_latest'), args: { currency: 'USD' } };
    expect(coverageRulesOf(overview, latest)).toBeUndefined();
  });
});

describe('what a caller may see', () => {
  const visible = { args: { currency: 'USD', start_date: '2026-01-01' }, window: undefined, cutoff: 7 };

  it('is of the other window that a rule has', () => {
    expect(withWindow(visible, { start_date: '1900-01-01', end_date: '2026-02-01' })).toEqual({
      args: { currency: 'USD', start_date: '1900-01-01', end_date: '2026-02-01' },
      window: undefined,
      cutoff: 7,
    });
  });

  it('stays as it is without one', () => {
    expect(withWindow(visible, undefined)).toBe(visible);
  });
});
