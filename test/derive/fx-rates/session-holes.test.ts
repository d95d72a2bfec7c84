import { describe, expect, it } from 'vitest';
import { composeSession } from '../../../src/derive/fx/session.ts';
import { answer, observed } from './world.ts';

/** Fixings of 13:15Z on these days; nothing is held of the days between two covered ranges. */
function ask(session: string, window: readonly [string, string], days: readonly string[], source = 'ecb') {
  const fixings = observed(
    'EUR/JPY',
    source,
    days.map((day) => [day, `${day}T13:15:00Z`, 120]),
  );
  const ranges = [
    { from: '1999-01-01', to: '2020-05-29' },
    { from: '2020-06-02', to: '2020-12-31' },
  ];
  const [start_date, end_date] = window;
  const args = { base: 'EUR', quote: 'JPY', session, date: undefined, start_date, end_date, order: 'date_asc' };
  const told = answer(
    composeSession,
    { ...args, limit: 100, offset: 0 },
    [{ ...fixings, coverage: { ranges, isOpen: true } }],
    '2020-11-21T12:00:00Z',
  );
  return {
    rates: told?.data.map(({ date, timestamp_utc: at }) => [date, at.slice(0, 10)]),
    missing: told?.missingParts?.map(({ range }) => range && [range.from, range.to]),
  };
}

// Friday 29 May is the last day before the missing range, Tuesday 2 June the first one behind it.
const DAYS = ['2020-05-28', '2020-05-29', '2020-06-02', '2020-06-03', '2020-06-04', '2020-06-05'];
const HOLE = [['2020-05-30', '2020-06-01']];

describe('a hole before the window of session rates', () => {
  it('says nothing of closes that have an observation behind it: London closes at 16:00Z, after the fixing', () => {
    expect(ask('london', ['2020-06-03', '2020-06-05'], DAYS)).toEqual({
      rates: [
        ['2020-06-03', '2020-06-03'],
        ['2020-06-04', '2020-06-04'],
        ['2020-06-05', '2020-06-05'],
      ],
      missing: [],
    });
    expect(ask('london', ['2020-06-02', '2020-06-02'], DAYS).missing).toEqual([]);
  });

  it('hides what the first close needs: Tokyo closes at 09:00Z, before the fixing', () => {
    // The fixing of the day before lies in the missing range.
    expect(ask('tokyo', ['2020-06-02', '2020-06-03'], DAYS)).toEqual({
      rates: [['2020-06-03', '2020-06-02']],
      missing: HOLE,
    });
    expect(ask('tokyo', ['2020-06-03', '2020-06-03'], DAYS)).toEqual({
      rates: [['2020-06-03', '2020-06-02']],
      missing: [],
    });
  });

  it('counts where the first close has an observation in front of it only, or none', () => {
    const late = ['2020-05-29', '2020-06-05'];
    expect(ask('london', ['2020-06-03', '2020-06-05'], late)).toEqual({
      rates: [['2020-06-05', '2020-06-05']],
      missing: HOLE,
    });
    expect(ask('london', ['2020-06-03', '2020-06-05'], ['2020-06-05']).missing).toEqual(HOLE);
  });

  it('inside of the window counts as everywhere', () => {
    expect(ask('london', ['2020-05-29', '2020-06-02'], DAYS)).toEqual({
      rates: [
        ['2020-05-29', '2020-05-29'],
        ['2020-06-02', '2020-06-02'],
      ],
      missing: HOLE,
    });
  });
});
