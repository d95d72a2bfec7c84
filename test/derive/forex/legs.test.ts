import { describe, expect, it } from 'vitest';
import { observationAt, pairRatesOf, pointsOf } from '../../../src/derive/fx/legs.ts';
import { datesWithin } from '../../../src/derive/places.ts';
import { ECB, fromService, imported, SERVICE } from './world.ts';

const pair = { base: 'EUR', quote: 'USD' };

function told(...series: Parameters<typeof pairRatesOf>[1]) {
  const history = pairRatesOf(pair, series);
  return history.dates.map((_, index) => {
    const { date, val, text, series: own } = observationAt(history, index);
    expect(JSON.parse(text)).toMatchObject({ date, val });
    return [date, val, own.ref.origin];
  });
}

const ecb = imported('USD', [
  ['2026-04-13', '1.1684'],
  ['2026-04-10', '1.1711'],
  ['2026-04-08', '1.1706'],
]);

describe('one history from several origins', () => {
  it('takes the value of the better-ranked source, and dates that it does not cover from the other', () => {
    const service = fromService('EUR/USD', ['{"date":"2026-04-14","val":1.17}', '{"date":"2026-04-10","val":1.1712}']);
    const covered = (...days: readonly string[]) => ({
      ...service,
      coverage: { ranges: days.map((day) => ({ from: day, to: day })), isOpen: false },
    });
    expect(told(ecb, covered('2026-04-10', '2026-04-14'))).toEqual([
      ['2026-04-14', 1.17, SERVICE],
      ['2026-04-13', 1.1684, ECB],
      ['2026-04-10', 1.1712, SERVICE],
      ['2026-04-08', 1.1706, ECB],
    ]);
    // It covers the day without a rate: no other one fills it.
    expect(told(ecb, service).map(([date]) => date)).toEqual(['2026-04-14', '2026-04-10', '2026-04-08']);
  });

  it('lets the better source say that a date has no value', () => {
    const service = fromService('EUR/USD', ['{"date":"2026-04-13","val":null}']);
    expect(told(ecb, service)[0]).toEqual(['2026-04-13', null, SERVICE]);
  });

  it('is empty for a pair that is not loaded', () => {
    expect(pairRatesOf({ base: 'USD', quote: 'EUR' }, [ecb])).toEqual({
      pair: { base: 'USD', quote: 'EUR' },
      dates: [],
      vals: new Float64Array(),
      series: [],
    });
  });
});

describe('dates of an answer', () => {
  const gbp = pairRatesOf({ base: 'EUR', quote: 'GBP' }, [
    imported('GBP', [
      ['2026-04-13', '0.87058'],
      ['2026-04-09', '0.87053'],
      ['2026-04-08', '0.86893'],
    ]),
  ]);

  it('are those on which every leg has a rate', () => {
    expect(pointsOf([pairRatesOf(pair, [ecb]), gbp], false).dates).toEqual(['2026-04-13', '2026-04-08']);
  });

  it('without a rate stay in a direct history and never enter a derived one', () => {
    const history = pairRatesOf(pair, [
      fromService('EUR/USD', ['{"date":"2026-04-13","val":null}', '{"date":"2026-04-10","val":0}']),
    ]);
    expect(pointsOf([history], true).dates).toHaveLength(2);
    expect(pointsOf([history], false).dates).toEqual([]);
  });

  it('are cut at both bounds, which belong to the window', () => {
    const dates = (from: string, to: string) => datesWithin(gbp.dates, from, to);
    expect(dates('2026-04-09', '2026-04-13')).toEqual(['2026-04-13', '2026-04-09']);
    expect(dates('2026-04-10', '2026-04-12')).toEqual([]);
    expect(dates('2027-01-01', '2027-02-01')).toEqual([]);
    expect(dates('1990-01-01', '1991-01-01')).toEqual([]);
    expect(dates('1990-01-01', '2030-01-01')).toHaveLength(3);
  });
});
