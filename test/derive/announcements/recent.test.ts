import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../src/contract/hooks.ts';
import { composeRecent } from '../../../src/derive/announcements/recent.ts';
import { contextOf, type HeldSeries, loaded, rowsIn } from './loaded.ts';

const OCTOBER = 1791981000; // 2026-10-14T12:30:00Z
const NOVEMBER = 1794576600; // 2026-11-13T13:30:00Z
const GDP = 1793277000; // 2026-10-29T12:30:00Z

const held = (indicator: string, unit: string, rows: HeldSeries['rows'], origin?: string): HeldSeries => ({
  endpoint: 'announcements',
  scope: { currency: 'USD', indicator },
  envelope: { unit },
  rows,
  ...(origin !== undefined && { origin }),
});

const INFLATION = held('inflation', '%YoY', [
  '{"date":"2026-10-31","val":3.0,"announcement_datetime":1794576600}',
  { date: '2026-09-30', val: 3.2, announcement_datetime: OCTOBER },
]);
const GROWTH = held('gdp', '%QoQ', [{ date: '2026-09-30', val: 0.4, announcement_datetime: GDP }]);
const RETAIL = held('retail_sales', '%MoM', [{ date: '2026-09-30', val: 0.1, announcement_datetime: OCTOBER }]);

function answer(
  series: readonly HeldSeries[],
  options: { page?: [number, number]; now?: string; as?: Caller['kind'] } = {},
) {
  const [limit, offset] = options.page ?? [20, 0];
  const context = contextOf({ currency: 'USD', limit, offset }, options.now ?? '2026-11-21T12:00:00Z', options.as);
  return composeRecent.build(series.map(loaded), context);
}

const placesIn = (composed: ReturnType<typeof answer>) =>
  rowsIn(composed).map(({ indicator, date }) => [indicator, date]);

describe('recent releases of a currency', () => {
  test('stand newest first, of one moment by indicator', () => {
    const composed = answer([RETAIL, INFLATION, GROWTH]);
    expect(placesIn(composed)).toEqual([
      ['inflation', '2026-10-31'],
      ['gdp', '2026-09-30'],
      ['inflation', '2026-09-30'],
      ['retail_sales', '2026-09-30'],
    ]);
    expect(composed?.envelope).toEqual({ currency: 'USD', as_of: '2026-10-31', count: 4 });
    expect([composed?.total, composed?.includesLatest]).toEqual([4, true]);
  });

  test('are the rows of the histories, with their indicator', () => {
    expect(rowsIn(answer([INFLATION], { page: [1, 0] }))).toEqual([
      {
        indicator: 'inflation',
        announcement_id: 'usd_inflation_2026-10-31',
        observation_id: 'usd_inflation_canonical_yoy_default_standard_period_2026-10-31',
        date: '2026-10-31',
        val: 3,
        previous_value: 3.2,
        previous_date: '2026-09-30',
        previous_announcement_datetime: OCTOBER,
        change_from_previous: 3 - 3.2,
        pct_change_from_previous: -6.25,
        announcement_datetime: NOVEMBER,
      },
    ]);
    expect(answer([INFLATION])?.rows[0]).toContain('"val":3.0,');
  });

  test('are cut into pages that meet every row once', () => {
    const pages = [0, 2, 4].map((offset) => answer([RETAIL, INFLATION, GROWTH], { page: [2, offset] }));
    expect(pages.flatMap(placesIn)).toHaveLength(4);
    expect(pages.map((page) => [page?.total, page?.envelope.count, page?.includesLatest])).toEqual([
      [4, 2, true],
      [4, 2, false],
      [4, 0, false],
    ]);
  });

  test('without a release time come last', () => {
    const silent = held('m2', 'bn', [{ date: '2026-11-01', val: 1 }]);
    expect(placesIn(answer([silent, GROWTH]))).toEqual([
      ['gdp', '2026-09-30'],
      ['m2', '2026-11-01'],
    ]);
  });

  test('behind the page are counted for whoever owns the mirror, where a time of release lacks', () => {
    const silent = held('m2', 'bn', [
      { date: '2026-11-01', val: 1 },
      { date: '2026-10-01', val: 2 },
    ]);
    const notes = (series: readonly HeldSeries[], page: [number, number], as?: Caller['kind']) =>
      answer(series, { page, ...(as && { as }) })?.notes?.slice(1);
    const two = ['2 releases have no time of release and stand behind all others: --offset 3 shows them.'];
    expect(notes([silent, INFLATION, GROWTH], [2, 0], 'owner')).toEqual(two);
    expect(notes([silent, INFLATION, GROWTH], [2, 1], 'owner')).toEqual(two);
    // The first of them is on the page.
    expect(notes([silent, INFLATION, GROWTH], [2, 2], 'owner')).toEqual([]);
    expect(notes([silent, INFLATION, GROWTH], [20, 0], 'owner')).toEqual([]);
    expect(notes([INFLATION, GROWTH], [1, 0], 'owner')).toEqual([]);
    expect(notes([silent, INFLATION, GROWTH], [2, 0], 'keyless')).toEqual([]);
  });

  test('take one history an indicator, the service’s before an importer’s', () => {
    const imported = held('gdp', '%QoQ', [{ date: '2026-09-30', val: 9.9, announcement_datetime: GDP }], 'import:x');
    expect(rowsIn(answer([imported, GROWTH])).map(({ val }) => val)).toEqual([0.4]);
  });

  test('are nothing where no history is held', () => {
    expect(answer([])).toBeUndefined();
    expect(answer([held('gdp', '%', [])])).toBeUndefined();
  });
});

describe('without a key', () => {
  test('a release inside the delay is withheld and counted', () => {
    // 13:44 is 14 minutes after the release; it opens at 13:45.
    const composed = answer([INFLATION], { now: '2026-11-13T13:44:00Z', as: 'keyless' });
    expect(placesIn(composed)).toEqual([['inflation', '2026-09-30']]);
    expect([composed?.withheld, composed?.envelope.as_of]).toEqual([[NOVEMBER], '2026-09-30']);
    expect(placesIn(answer([INFLATION], { now: '2026-11-13T13:45:00Z', as: 'keyless' }))).toHaveLength(2);
  });

  test('periods before the last ninety days are left out, and it says so', () => {
    const old = held('gdp', '%QoQ', [
      { date: '2026-08-23', val: 1, announcement_datetime: GDP },
      { date: '2026-08-22', val: 2, announcement_datetime: GDP },
    ]);
    const composed = answer([old], { as: 'keyless' });
    expect(placesIn(composed)).toEqual([['gdp', '2026-08-23']]);
    expect(composed?.clipped).toBe(true);
    expect(answer([INFLATION], { as: 'keyless' })?.clipped).toBe(false);
    expect(answer([old])?.clipped).toBe(false);
  });
});
