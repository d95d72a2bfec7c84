import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { ofEverything, spellOut } from '../../src/sync/series/select.ts';

const spelled = (words: string) => spellOut(words.split(' '), ENDPOINTS).map((selection) => selection.join(' '));

describe('spellOut', () => {
  it.each(['eur usd', 'EUR/USD', 'eurusd', 'eur-usd'])('takes %s for reference rates', (words) => {
    expect(spelled(words)).toEqual(['fx eur usd']);
  });

  it('takes a currency for everything of it', () => {
    expect(spelled('usd')).toEqual([
      'catalogue usd',
      'announcements usd',
      'announcements latest usd',
      'predictions coverage usd',
      'calendar usd',
      'calendar coverage usd',
      'factor usd',
      'curve usd',
      'cot usd',
      'press usd',
      'prices usd',
    ]);
  });

  it('leaves out of a currency what the service does not have of it', () => {
    expect(spelled('sek')).not.toContain('cot sek');
  });

  it.each(['fx eur usd', 'cot', 'weather berlin', 'announcements usd inflation'])('leaves %s as it is', (words) => {
    expect(spelled(words)).toEqual([words]);
  });
});

it('everything is every currency, every group of its own, and the pairs of the euro', () => {
  const all = ofEverything(ENDPOINTS).map((selection) => selection.join(' '));
  expect(all).toContain('sentiment');
  expect(all).toContain('commodities');
  expect(all).toContain('fx eur jpy');
  expect(all).toContain('announcements nzd');
  expect(new Set(all).size).toBe(all.length);
});
