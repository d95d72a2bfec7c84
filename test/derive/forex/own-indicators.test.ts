// Indicators of a pair that two publishers have: each row has those of its own publisher, over all of its rates.
import { expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { FIRST_DATE } from '../../../src/contract/time/coverage.ts';
import { addDays } from '../../../src/contract/time/time.ts';
import { imported, parsed } from './world.ts';

const FIRST = '2026-01-01';
const DAYS = 30;
const dates = Array.from({ length: DAYS }, (_, day) => addDays(FIRST, day));

/** Rates of two publishers that differ; numbers are made up. */
const ecbRate = (day: number) => 1 + day / 100;
const otherRate = (day: number) => 2 + (day % 7) / 100;

const ENDS = 24;

function seriesOf(origin: string, rate: (day: number) => number, days: number): LoadedSeries {
  const rows = dates.slice(0, days).map((date, day): [string, string] => [date, String(rate(day))]);
  const series = imported('USD', rows.toReversed());
  return {
    ...series,
    ref: { ...series.ref, origin },
    coverage: { ranges: [{ from: FIRST_DATE, to: dates[days - 1] ?? '' }], isOpen: false },
  };
}

const mean = (rate: (day: number) => number, last: number) =>
  Array.from({ length: 20 }, (_, back) => rate(last - back)).reduce((sum, one) => sum + one, 0) / 20;

it('the average behind the end of one file is that of the other one, over its older rates too', () => {
  const ecb = seriesOf('import:ECB', ecbRate, ENDS);
  const other = seriesOf('import:Bundesbank', otherRate, DAYS);
  const { data } = parsed('EUR/USD', [ecb, other], {
    start_date: dates[18] ?? '',
    end_date: dates[DAYS - 1] ?? '',
    indicators: ['sma_20'],
  });
  const averages = data.map(({ date, sma_20: average }: Record<string, unknown>) => [date, average]);
  const expected = dates.slice(18).map((date, i) => {
    const day = 18 + i;
    if (day < 19) return [date, null];
    return [date, Number((day < ENDS ? mean(ecbRate, day) : mean(otherRate, day)).toFixed(6))];
  });
  expect(averages).toEqual(expected.toReversed());
});
