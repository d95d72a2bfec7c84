import { describe, expect, it } from 'vitest';
import {
  isFirstPrint,
  isNextRelease,
  type ReleaseRhythm,
  rhythmOf,
  statesOf,
} from '../../../src/contract/time/vintages.ts';

const at = (moment: string) => Date.parse(moment) / 1000;
const state = (moment: string, begun: number) => ({ at: at(moment), begun });

describe('one vintage follows right behind another one', () => {
  it.each<[ReleaseRhythm, string, number, boolean]>([
    // 45 days behind 1 March, at the same hour.
    ['month', '2021-04-15T12:30:00Z', 1, true],
    ['month', '2021-04-15T12:30:01Z', 1, false],
    ['month', '2021-04-02T12:30:00Z', 0, true],
    ['month', '2021-04-02T12:30:00Z', 2, false],
    ['quarter', '2021-04-15T12:30:00Z', 0, true],
    ['quarter', '2021-04-15T12:30:01Z', 0, false],
    ['week', '2021-03-11T12:30:00Z', 1, true],
    ['week', '2021-03-11T12:30:01Z', 1, false],
    ['day', '2021-03-06T12:30:00Z', 1, true],
    ['day', '2021-03-06T12:30:01Z', 1, false],
    ['day', '2021-03-02T12:30:00Z', 2, false],
  ])('of a %s: %s with %i new periods is %s', (rhythm, next, begun, expected) => {
    expect(isNextRelease(state('2021-03-01T12:30:00Z', 900), state(next, begun), rhythm)).toBe(expected);
  });
});

describe('a first print', () => {
  const before = state('2021-02-05T13:30:00Z', 900);
  const march = state('2021-03-05T13:30:00Z', 1);
  const february = { date: '2021-02-28', rhythm: 'month' } as const;

  it('is the only new period of the next release', () => {
    expect(isFirstPrint(before, march, february)).toBe(true);
    expect(isFirstPrint(undefined, march, february)).toBe(false);
    expect(isFirstPrint(before, { ...march, begun: 2 }, february)).toBe(false);
    expect(isFirstPrint(before, { ...march, begun: 0 }, february)).toBe(false);
    expect(isFirstPrint(state('2021-01-08T13:30:00Z', 1), march, february)).toBe(false);
  });

  it.each<[ReleaseRhythm, string, string, boolean]>([
    ['month', '2021-02-28', '2021-04-04T00:00:00Z', true],
    ['month', '2021-02-28', '2021-04-04T00:00:01Z', false],
    ['quarter', '2021-03-31', '2021-05-15T00:00:00Z', true],
    ['quarter', '2021-03-31', '2021-05-15T00:00:01Z', false],
    ['week', '2021-03-07', '2021-03-21T00:00:00Z', true],
    ['week', '2021-03-07', '2021-03-21T00:00:01Z', false],
    ['day', '2021-03-01', '2021-03-06T00:00:00Z', true],
    ['day', '2021-03-01', '2021-03-06T00:00:01Z', false],
  ])('of a %s that ended on %s comes soon enough at %s: %s', (rhythm, date, moment, expected) => {
    const day = 86_400;
    const next = state(moment, 1);
    expect(isFirstPrint({ at: next.at - day, begun: 1 }, next, { date, rhythm })).toBe(expected);
  });
});

it('states are the moments at which periods began or changed', () => {
  expect(statesOf([20, 10, 10, 30], [10, 40, 20])).toEqual([
    { at: 10, begun: 2 },
    { at: 20, begun: 1 },
    { at: 30, begun: 1 },
    { at: 40, begun: 0 },
  ]);
});

it('the rhythm of dates is that of their middle gap', () => {
  expect(rhythmOf(['2021-03-01', '2021-03-02', '2021-03-05', '2021-03-08'])).toBe('day');
  expect(rhythmOf(['2021-03-07', '2021-03-14', '2021-03-21'])).toBe('week');
  expect(rhythmOf(['2021-01-31', '2021-02-28', '2021-03-31'])).toBe('month');
  expect(rhythmOf(['2020-12-31', '2021-03-31', '2021-06-30'])).toBe('quarter');
  expect(rhythmOf(['2020-12-31', '2021-12-31'])).toBe('quarter');
  expect(rhythmOf(['2021-03-31'])).toBe('day');
});
