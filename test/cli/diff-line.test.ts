import { describe, expect, it } from 'vitest';
import { lineOf } from '../../src/cli/print/series.ts';
import { asJsonText } from '../../src/contract/json/json.ts';
import type { KeyValue, StoredSeries } from '../../src/mirror/api/series.ts';

const series = (endpoint: string, scope: Record<string, string>): StoredSeries => ({
  id: 1,
  origin: 'import:test',
  endpoint,
  scope,
  state: '',
  chain: '',
  envelope: undefined,
  checkedAt: 0,
});
const row = (key: readonly KeyValue[], text: string) => ({
  key,
  columns: {},
  text: asJsonText(text),
  commit: 1,
  seenAt: 0,
});

function told(endpoint: string, key: readonly KeyValue[], [before, after]: readonly (string | undefined)[]): unknown {
  const line = lineOf(series(endpoint, { currency: 'USD' }), {
    key,
    before: before === undefined ? undefined : row(key, before),
    after: after === undefined ? undefined : row(key, after),
  });
  const { change, row: name, old, new: now, fields } = JSON.parse(line);
  return [change, name, old, now, fields];
}

describe('a line of macro diff', () => {
  it('shows the value as it was spelled, before and after', () => {
    expect(
      told('forex', ['2026-11-20'], ['{"date":"2026-11-20","val":1.150}', '{"date":"2026-11-20","val":1.16}']),
    ).toEqual(['revised', '2026-11-20', 1.15, 1.16, ['val']]);
    expect(told('forex', ['2026-11-20'], [undefined, '{"val":1.150}'])).toEqual([
      'added',
      '2026-11-20',
      undefined,
      1.15,
      undefined,
    ]);
  });

  it('shows what changed where the value did not, and never the same value twice', () => {
    expect(told('forex', ['2026-11-20'], ['{"val":1.15,"source":"a"}', '{"val":1.15,"source":"b"}'])).toEqual([
      'revised',
      '2026-11-20',
      { source: 'a' },
      { source: 'b' },
      ['source'],
    ]);
  });

  it('shows of a row of many numbers those that changed', () => {
    expect(
      told('cot', ['2026-11-10'], ['{"open_interest":1,"noncomm_long":5}', '{"open_interest":2,"noncomm_long":5}']),
    ).toEqual(['revised', '2026-11-10', { open_interest: 1 }, { open_interest: 2 }, ['open_interest']]);
  });

  it('shows all numbers of such a row when it is added or withdrawn', () => {
    const text = '{"date":"2026-11-10","dataset":"legacy","open_interest":1.50,"noncomm_long":-5,"change":null}';
    const numbers = { open_interest: 1.5, noncomm_long: -5 };
    const key = ['2026-11-10'];
    expect(told('cot', key, [undefined, text])).toEqual(['added', '2026-11-10', undefined, numbers, undefined]);
    expect(told('cot', key, [text, undefined])).toEqual(['withdrawn', '2026-11-10', numbers, undefined, undefined]);
    expect(told('calendar', [1_793_340_000, 'aed_gdp'], [undefined, '{"announcement_datetime":1793340000}'])).toEqual([
      'added',
      '2026-10-30T06:00:00Z aed_gdp',
      undefined,
      undefined,
      undefined,
    ]);
    expect(told('forex', ['2026-11-20'], [undefined, '{"val":null,"bid":1.1}'])).toEqual([
      'added',
      '2026-11-20',
      undefined,
      null,
      undefined,
    ]);
  });

  it.each([
    ['calendar', [1_793_340_000, 'aed_gdp'], '2026-10-30T06:00:00Z aed_gdp'],
    ['announcements_changes', [1_793_340_000, 'x'], '2026-10-30T06:00:00Z x'],
    ['risk_sentiment_changes', [27_900], '27900'],
    ['curves', ['2026-11-20', '5Y'], '2026-11-20 5Y'],
  ])('names a row of %s %j as people read it', (endpoint, key, name) => {
    expect(told(endpoint, key, [undefined, '{}'])).toEqual(['added', name, undefined, undefined, undefined]);
  });
});
