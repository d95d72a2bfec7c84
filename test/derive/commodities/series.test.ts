import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CommodityArgs, deriveCommodity } from '../../../src/derive/commodities.ts';
import { bodyOf, pageOf, rowsOf } from '../announcements/page.ts';

const ARGS: CommodityArgs = {
  indicator: 'gold',
  start_date: '2026-11-01',
  end_date: '2026-11-21',
  limit: 20,
  offset: 0,
};
const NOW = '2026-11-21T12:00:00Z';

/** Daily rows, newest first, without weekends. */
const daily = (count: number, value: (i: number, date: string) => string) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 10, 19 - i)))
    .filter((date) => date.getUTCDay() % 6 !== 0)
    .map((date, i) => ({ date: date.toISOString().slice(0, 10), i }))
    .map(({ date, i }) => `{"date":"${date}","val":${value(i, date)}}`);

describe('a commodity', () => {
  // The documents' example: 4000 after 3980, and a quarter more than a year ago.
  const value = (i: number, date: string) =>
    i === 0 ? '4000.0' : i === 1 ? '3980.0' : date === '2025-11-19' ? '3200.0' : '3900.0';

  test('has its changes against the row before and the same day a year earlier', async () => {
    const derived = await deriveCommodity(pageOf({ rows: daily(500, value), args: ARGS, now: NOW }));
    expect(derived.rows?.[0]).toBe('{"date":"2026-11-19","val":4000.0,"pct_change":0.5,"pct_change_12m":25.0}');
  });

  test('takes the newest row on or before that day', async () => {
    // 2025-11-16 is a Sunday: Friday the 14th stands for it.
    const args = { ...ARGS, end_date: '2026-11-16' };
    const rows = daily(500, (_, date) => (date === '2026-11-16' ? '110.0' : date === '2025-11-14' ? '100.0' : '90.0'));
    const [row] = rowsOf(await deriveCommodity(pageOf({ rows, args, now: NOW })));
    expect(row).toMatchObject({ date: '2026-11-16', pct_change: 22.22, pct_change_12m: 10 });
  });

  test('keeps the publisher’s own percentages and leaves out what has no base', async () => {
    const rows = [
      '{"date":"2026-11-19","val":5.0,"pct_change":9.99}',
      '{"date":"2026-11-18","val":-2.0}',
      '{"date":"2026-11-17","val":0.0}',
    ];
    expect(rowsOf(await deriveCommodity(pageOf({ rows, args: ARGS, now: NOW })))).toEqual(
      rows.map((row) => JSON.parse(row)),
    );
  });

  test('describes itself', async () => {
    const rows = [
      '{"date":"2026-11-19","val":5.0,"announcement_datetime":1795100400}',
      '{"date":"2026-11-18","val":4.0}',
    ];
    const stored = { source: 'Exchange', unit: 'USD/oz t', provenance: { source_store: 'own' }, last_updated: 'old' };
    const derived = await deriveCommodity(pageOf({ rows, args: ARGS, now: NOW, stored }));
    expect(bodyOf(derived)).toEqual({
      currency: 'USD',
      has_official_forecast: false,
      source: 'Exchange',
      provenance: { source_store: 'own' },
      last_updated: '2026-11-19T15:00:00Z',
      latest_available_date: '2026-11-19',
      data_quality: {
        is_official: true,
        is_proxy: false,
        is_fallback: false,
        is_derived: false,
        is_stale: false,
        source_type: 'official',
        source_name: 'Exchange',
        has_announcement_datetime: true,
        point_in_time_safe: false,
        unverified_vintage_count: 2,
        unknown_publication_time_count: 0,
        row_count: 2,
        announcement_datetime_count: 1,
        missing_announcement_datetime_count: 1,
        has_assumed_release_times: false,
        assumed_release_time_count: 0,
        bounded_release_time_count: 0,
        unbounded_release_time_count: 0,
        latest_available_date: '2026-11-19',
        data_lag_days: 2,
        stale_after_days: 7,
        quality_scope: 'full_result',
        requested_window_has_data: true,
        page_includes_latest_available: true,
      },
    });
  });
});

const GOLD = '../shared/data/gold-usd-monthly.csv';

describe.skipIf(!existsSync(GOLD))(`the monthly gold price (skipped without ${GOLD})`, () => {
  test('compares every month with the month before and with the same month a year before', async () => {
    const prices = readFileSync(GOLD, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
      .reverse();
    const rows = prices.map(([month, price]) => `{"date":"${month}-01","val":${Number(price)}}`);
    const args = { ...ARGS, start_date: '1900-01-01', end_date: '2100-01-01', limit: 100 };
    const answer = rowsOf(await deriveCommodity(pageOf({ rows, args, now: NOW })));
    const price = (i: number) => Number(prices[i]?.[1]);
    const expected = answer.map((_, i) => [price(i) / price(i + 1), price(i) / price(i + 12)]);
    expect(answer).toHaveLength(100);
    for (const [i, row] of answer.entries()) {
      const [month = 0, year = 0] = expected[i] ?? [];
      expect(Math.abs(Number(row.pct_change) - (month - 1) * 100)).toBeLessThanOrEqual(0.005000001);
      expect(Math.abs(Number(row.pct_change_12m) - (year - 1) * 100)).toBeLessThanOrEqual(0.005000001);
    }
  });
});
