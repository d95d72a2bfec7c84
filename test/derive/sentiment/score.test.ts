import { describe, expect, it } from 'vitest';
import { LOOKBACK, regimeOf, rollingScores, scoreOf } from '../../../src/derive/sentiment/score.ts';
import { euroRates, exactScore, goldPrices, hasOfficialData, units } from './official.ts';

describe('the z-score of an observation', () => {
  it('is told from the 252nd observation on', () => {
    const scores = rollingScores(Array.from({ length: 254 }, (_, i) => i));
    expect(scores.slice(0, 251).every((score) => score === null)).toBe(true);
    // 1..252 have the mean 126.5 and the sample deviation sqrt(252 * 253 / 12): 72.8903...
    const climbing = 125.5 / Math.sqrt((252 * 253) / 12);
    for (const score of scores.slice(251)) expect(score).toBeCloseTo(climbing, 12);
  });

  it('divides by the sample deviation, not by that of a population', () => {
    // 251 zeros and a one: mean 1/252, squares 251/252; over 251 the variance is 1/252.
    const scores = rollingScores([...Array<number>(251).fill(0), 1]);
    expect(scores.at(-1)).toBeCloseTo((1 - 1 / 252) * Math.sqrt(252), 12);
  });

  it('is zero where nothing moves', () => {
    expect(rollingScores(Array<number>(252).fill(3)).at(-1)).toBe(0);
    // The mean of so many doubles is not exactly the double that they all are.
    expect(rollingScores(Array<number>(252).fill(20.67)).at(-1)).toBe(0);
  });

  it.skipIf(!hasOfficialData).each([
    ['gold', () => goldPrices()],
    ['US dollars for a euro', () => euroRates('USD').map(({ rate }) => rate)],
    ['yen for a euro', () => euroRates('JPY').map(({ rate }) => rate)],
  ])('agrees with exact arithmetic on official prices of %s (skipped where they are not at hand)', (_, read) => {
    const texts = read();
    const scores = rollingScores(texts.map(Number));
    const exact = texts.map(units);
    expect(scores.length).toBeGreaterThan(2000);
    for (let i = LOOKBACK - 1; i < texts.length; i += 7)
      expect(scores[i]).toBeCloseTo(exactScore(exact.slice(i + 1 - LOOKBACK, i + 1)), 9);
  });
});

describe('the composite score', () => {
  it('weighs stress and gold against the appetite for risk, the two pairs for it', () => {
    // -0.4*0.5 = -0.2; -0.2*-1 = 0.2; 0.2*1.5 = 0.3; 0.2*0.25 = 0.05; tanh(0.35) = 0.336376...
    expect(scoreOf([0.5, -1, 1.5, 0.25])).toEqual({
      val: 0.3364,
      regime: 'risk_on',
      components: { ofr_fsi: -0.2, gold: 0.2, aud_usd: 0.3, usd_jpy: 0.05 },
    });
  });

  it('spreads the weight of a missing component over the rest', () => {
    // Without stress the weights are a third each: -1, 2/3 and 1/3 of 3.
    expect(scoreOf([null, 3, 2, 1])).toEqual({
      val: 0,
      regime: 'neutral',
      components: { ofr_fsi: null, gold: -1, aud_usd: 0.6667, usd_jpy: 0.3333 },
    });
    // With stress alone it has all the weight: tanh(-0.3) = -0.29131...
    expect(scoreOf([0.3, null, null, null])).toMatchObject({ val: -0.2913, regime: 'risk_off' });
    expect(scoreOf([null, null, null, null])).toBeUndefined();
  });

  it.each([
    [0.25, 'risk_on'],
    [0.2499, 'neutral'],
    [0, 'neutral'],
    [-0.2499, 'neutral'],
    [-0.25, 'risk_off'],
  ])('of %s is %s', (val, regime) => {
    expect(regimeOf(val)).toBe(regime);
  });
});
