// Surprises of releases, worked out by hand.
import { expect, it } from 'vitest';
import { type MadeForecast, surprisesOf } from '../../../src/derive/announcements/surprise.ts';

const DAY = 86_400;
const dates = Array.from({ length: 10 }, (_, month) => `2020-${String(month + 1).padStart(2, '0')}-28`);

/** Released on the days 100, 130 and so on. */
const prints = (values: readonly number[]) =>
  values.map((val, i) => ({ date: dates[i] ?? '', val, release: (100 + 30 * i) * DAY }));

const forecast = (month: number, val: number, more: Partial<MadeForecast> = {}): MadeForecast => ({
  date: dates[month] ?? '',
  val,
  source: 'survey',
  madeAt: (90 + 30 * month) * DAY,
  rank: 1,
  ...more,
});

it('is the print less the forecast, and with eight earlier ones that in their sample deviations', () => {
  // Surprises 0.1, -0.1 and so on: eight have the sample deviation sqrt(8 * 0.01 / 7) = 0.106904; 0.2 is 1.870829 of it.
  const values = [1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.2];
  const found = surprisesOf(
    prints(values),
    values.map((_, month) => forecast(month, 1)),
  );
  expect([...found].map(([date, { surprise, standardized }]) => [date, surprise, standardized])).toEqual([
    ...[0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1].map((surprise, i) => [dates[i], surprise, null]),
    [dates[8], 0.2, 1.870829],
  ]);
});

it('takes the newest forecast of before the release, of the kind that counts first', () => {
  const forecasts = [
    forecast(0, 1, { madeAt: 80 * DAY }),
    forecast(0, 2, { madeAt: 99 * DAY }),
    // At the release and after it nobody forecasts.
    forecast(0, 3, { madeAt: 100 * DAY }),
    forecast(0, 4, { madeAt: 101 * DAY }),
    forecast(0, 5, { source: 'model', rank: 2, madeAt: 99.5 * DAY }),
  ];
  expect(surprisesOf(prints([2.5]), forecasts).get(dates[0] ?? '')).toEqual({
    source: 'survey',
    surprise: 0.5,
    standardized: null,
  });
});

it('measures each source by its own earlier surprises alone', () => {
  const values = [1, 2, 1, 2, 1, 2, 1, 2, 5];
  const survey = values.map((val, month) => forecast(month, month === 8 ? 4 : val));
  const model = values.map((_, month) => forecast(month, 1, { source: 'model', rank: 2 }));
  const last = (forecasts: readonly MadeForecast[]) => surprisesOf(prints(values), forecasts).get(dates[8] ?? '');
  // The survey was right eight times: it has no deviation. Those of the model are 0 and 1: sqrt(2/7) = 0.534522.
  expect([last([...survey, ...model]), last(model)]).toEqual([
    { source: 'survey', surprise: 1, standardized: null },
    { source: 'model', surprise: 4, standardized: 7.483315 },
  ]);
});

it('is none without a forecast or a print', () => {
  expect([...surprisesOf(prints([1]), [forecast(1, 1)]).keys()]).toEqual([]);
});
