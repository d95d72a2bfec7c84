import { expect, test } from 'vitest';
import { composeCommoditiesLatest } from '../../../src/derive/commodities.ts';
import { contextOf, type HeldSeries, loaded, rowsIn } from '../announcements/loaded.ts';

test('a history that may go on behind its newest price is left out, and named', () => {
  const held = (indicator: string, isOpen: boolean): HeldSeries => ({
    endpoint: 'commodities',
    scope: { indicator },
    coverage: { ranges: [{ from: '', to: '2026-11-18' }], isOpen },
    rows: [{ date: '2026-11-18', val: 1.5 }],
  });
  const composed = composeCommoditiesLatest.build(
    [held('copper', false), held('gold', true)].map(loaded),
    contextOf({}, '2026-11-21T12:00:00Z'),
  );
  expect(rowsIn(composed).map(({ indicator }) => indicator)).toEqual(['gold']);
  expect(composed?.missingParts).toEqual([
    { series: { endpoint: 'commodities_latest', scope: {}, exact: true } },
    {
      series: { endpoint: 'commodities', scope: { indicator: 'copper' }, exact: true },
      range: { from: '2026-11-19', to: '2026-11-21' },
    },
  ]);
});
