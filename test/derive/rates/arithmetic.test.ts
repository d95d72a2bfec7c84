import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { basisPoints, forwardRate, spreadOf } from '../../../src/derive/rates/rates.ts';
import fc from '../../support/properties.ts';

const YIELDS = '../shared/data/us-gov-bond-10y.csv';

describe('a spread', () => {
  it.each([
    [2, 3.5, -1.5, -150],
    [4, 3.4, 0.6, 60],
    [1.98, 3.5, -1.52, -152],
    [3.5, 3.5, 0, 0],
    [0.1, 0.3, -0.2, -20],
    // A tie of the seventh decimal goes to the even digit; basis points keep all of it.
    [1.0000005, 0, 1, 100],
    [1.0000015, 0, 1.000002, 100.0002],
    [0.00000025, 0, 0, 0],
  ])('%d less %d is %d points, %d basis points', (value, less, points, bps) => {
    expect(spreadOf(value, less)).toEqual({ points, bps });
  });

  it('is never a negative zero', () => {
    expect(Object.is(spreadOf(1.0000001, 1.0000002).points, 0)).toBe(true);
  });

  it('turns its sign with its sides', () => {
    const rate = fc.integer({ min: -5_000, max: 20_000 }).map((n) => n / 1000);
    fc.assert(
      fc.property(rate, rate, (a, b) => {
        const [there, back] = [spreadOf(a, b), spreadOf(b, a)];
        expect([there.points + back.points, there.bps + back.bps]).toEqual([0, 0]);
        // Thousandths of a per cent are whole numbers, in which nothing is lost.
        const thousandths = Math.round(a * 1000) - Math.round(b * 1000);
        expect([there.points, there.bps]).toEqual([thousandths / 1000 + 0, thousandths / 10 + 0]);
      }),
    );
  });

  it.skipIf(!existsSync(YIELDS))(
    'agrees with official yields counted in whole basis points (skipped without the file)',
    () => {
      const yields = readFileSync(YIELDS, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[1] ?? '');
      expect(yields.length).toBeGreaterThan(800);
      const cents = (text: string) => {
        const [whole = '', part = ''] = text.split('.');
        return Number(whole) * 100 + Number(part.padEnd(2, '0'));
      };
      for (const [i, text] of yields.entries()) {
        const before = yields[i - 1];
        if (before === undefined) continue;
        expect(spreadOf(Number(text), Number(before)).bps).toBe(cents(text) - cents(before));
      }
    },
  );
});

describe('a forward rate', () => {
  it('meets the documented vector: 2Y 3.40 and 5Y 3.60', () => {
    expect(forwardRate({ val: 3.4, years: 2 }, { val: 3.6, years: 5 })).toBe(3.733548);
  });

  it.each([
    // (1.06^2 / 1.05) - 1 = 0.0700952..., worked by hand.
    [5, 1, 6, 2, 7.009524],
    // A flat curve has its own rate as every forward.
    [3, 2, 3, 10, 3],
    // 0.99^2 / 1.01 = 0.970396...
    [1, 1, -1, 2, -2.960396],
    [0, 1, 0, 30, 0],
  ])('from %d %% at %d years and %d %% at %d years is %d', (start, from, end, to, expected) => {
    expect(forwardRate({ val: start, years: from }, { val: end, years: to })).toBe(expected);
  });

  it('makes both ways of investing equal', () => {
    const rate = fc.integer({ min: -90, max: 1500 }).map((n) => n / 100);
    const years = fc.constantFrom(1, 2, 3, 5, 7, 10);
    fc.assert(
      fc.property(rate, rate, years, years, (short, long, from, ahead) => {
        const forward = forwardRate({ val: short, years: from }, { val: long, years: from + ahead }) ?? Number.NaN;
        const inSteps = from * Math.log1p(short / 100) + ahead * Math.log1p(forward / 100);
        expect(inSteps).toBeCloseTo((from + ahead) * Math.log1p(long / 100), 5);
      }),
    );
  });

  it('does not exist where nothing is left to grow, nor backwards', () => {
    expect(forwardRate({ val: -100, years: 1 }, { val: 2, years: 2 })).toBeUndefined();
    expect(forwardRate({ val: 2, years: 5 }, { val: 2, years: 2 })).toBeUndefined();
    expect(forwardRate({ val: 2, years: 2 }, { val: 2, years: 2 })).toBeUndefined();
  });

  it('is told in basis points too', () => {
    expect(basisPoints(3.733548)).toBe(373.3548);
  });
});
