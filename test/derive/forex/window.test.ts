import { describe, expect, it } from 'vitest';
import { addDays } from '../../../src/contract/time/time.ts';
import { TECHNICAL_NAMES } from '../../../src/derive/technicals/table.ts';
import fc, { draws } from '../../support/properties.ts';
import { fromService, imported, parsed } from './world.ts';

const DAYS = 320;
const FIRST = '2025-05-01';

/** Rates that wander without repeating, newest first; every seventh day has none. */
function wandering(seed: number): [string, string][] {
  const rates = Array.from({ length: DAYS }, (_, day): [string, string] => [
    addDays(FIRST, day),
    (1 + 0.3 * Math.sin(seed + day / 17) + 0.01 * Math.sin(day * seed)).toFixed(4),
  ]);
  return rates.filter((_, day) => (day + seed) % 7 !== 0).reverse();
}

/** The same as rows of the service, some with a bar. */
function withBars(rates: readonly (readonly [string, string])[]): string[] {
  return rates.map(([date, val], i) =>
    i % 3 === 0
      ? `{"date":"${date}","val":${val},"open":1.0,"high":${Number(val) + 0.02},"low":${Number(val) - 0.03},"close":${val}}`
      : `{"date":"${date}","val":${i % 11 === 5 ? null : val}}`,
  );
}

const legs = [imported('GBP', wandering(2)), imported('JPY', wandering(3))];
const direct = [fromService('EUR/USD', withBars(wandering(5)))];
const day = fc.integer({ min: -20, max: DAYS + 20 }).map((days) => addDays(FIRST, days));

describe.each([
  ['GBP/JPY', legs],
  ['JPY/EUR', legs],
  ['EUR/USD', direct],
  ['USD/EUR', direct],
] as const)('any window of %s', (pair, series) => {
  const indicators = [...TECHNICAL_NAMES];
  const whole = parsed(pair, series, { indicators, limit: DAYS });
  const byDate = new Map(whole.data.map((row) => [row.date, row]));

  it('shows the rows of the whole history, indicators included', () => {
    fc.assert(
      fc.property(day, day, (start_date, end_date) => {
        const { data, total } = parsed(pair, series, { indicators, start_date, end_date, limit: DAYS });
        const expected = whole.data.filter(({ date }) => date >= start_date && date <= end_date);
        expect(data).toEqual(expected);
        expect(total).toBe(expected.length);
      }),
      { numRuns: draws(20) },
    );
  });

  it('has the indicators of its newest row beside the rows', () => {
    fc.assert(
      fc.property(day, (end_date) => {
        const { data, envelope } = parsed(pair, series, { indicators, end_date, limit: 1 });
        const newest = data[0] && byDate.get(data[0].date);
        expect(envelope.indicators).toMatchObject({
          rsi_14: newest?.rsi_14 ?? null,
          bollinger_bands: newest ? { upper: newest.bb_upper, middle: newest.bb_middle, lower: newest.bb_lower } : null,
        });
      }),
      { numRuns: draws(10) },
    );
  });

  it('is covered by its pages, every date once', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 100 }), (start_date, limit) => {
        const dates: string[] = [];
        for (let offset = 0; ; offset += limit) {
          const page = parsed(pair, series, { start_date, limit, offset });
          dates.push(...page.data.map(({ date }) => date));
          if (offset + page.data.length >= page.total) break;
        }
        expect(dates).toEqual(whole.data.map(({ date }) => date).filter((date) => date >= start_date));
      }),
      { numRuns: draws(10) },
    );
  });
});
