import { describe, expect, it } from 'vitest';
import { roundHalfEven } from '../../src/derive/decimal.ts';
import fc from '../support/properties.ts';

/** The definition, in whole numbers: a double is m / 2^s exactly, so the decimal nearest to it needs no approximation. */
function roundExactly(value: number, digits: number): number {
  let shift = 0n;
  let mantissa = Math.abs(value);
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    shift += 1n;
  }
  const numerator = BigInt(mantissa) * 10n ** BigInt(digits);
  const denominator = 2n ** shift;
  const whole = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && whole % 2n === 1n);
  const decimal = (up ? whole + 1n : whole).toString().padStart(digits + 1, '0');
  const text = `${decimal.slice(0, decimal.length - digits)}.${decimal.slice(decimal.length - digits)}`;
  return (value < 0 ? -1 : 1) * Number(text) + 0;
}

describe('roundHalfEven', () => {
  it('sends true ties to the even neighbour, in both directions', () => {
    const ties = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5];
    expect(ties.map((tie) => roundHalfEven(tie, 0))).toEqual([0, 2, 2, 0, -2, -2]);
    expect([0.125, 0.375, 0.625, -0.125].map((tie) => roundHalfEven(tie, 2))).toEqual([0.12, 0.38, 0.62, -0.12]);
  });

  it('rounds what the double is, not what the decimal looks like', () => {
    // 1.005 is 1.00499999999999989..., 2.675 is 2.67499999999999982..., 8.345 is 8.34500000000000063...
    expect([1.005, 2.675, 8.345].map((value) => roundHalfEven(value, 2))).toEqual([1, 2.67, 8.35]);
    // 1.0000015 is 1.00000149999999998..., yet its product with a million is exactly 1000001.5.
    expect(roundHalfEven(1.0000015, 6)).toBe(1.000001);
  });

  it('never answers negative zero', () => {
    for (const value of [-0, -1e-9, -4.9e-324, -0.49e-6])
      for (const digits of [0, 6]) expect(Object.is(roundHalfEven(value, digits), 0)).toBe(true);
  });

  it('leaves alone what has nothing to round', () => {
    const values = [0, 5e-324, 2 ** 53, 1e21, -1e300, Number.POSITIVE_INFINITY, Number.NaN];
    expect(values.map((value) => roundHalfEven(value, 6))).toEqual([
      0,
      0,
      2 ** 53,
      1e21,
      -1e300,
      Number.POSITIVE_INFINITY,
      Number.NaN,
    ]);
  });

  it('agrees with arithmetic in whole numbers for any double of any size', () => {
    const value = fc.double({ min: -1e16, max: 1e16, noNaN: true });
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 14 }), (v, digits) => {
        expect(roundHalfEven(v, digits)).toBe(roundExactly(v, digits));
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with arithmetic in whole numbers around ties, where the product alone would mislead', () => {
    const near = fc.tuple(
      fc.integer({ min: 0, max: 2 ** 40 }),
      fc.integer({ min: 0, max: 11 }),
      fc.integer({ min: -2, max: 2 }),
    );
    fc.assert(
      fc.property(near, ([count, digits, steps]) => {
        const tie = (count + 0.5) / 10 ** digits;
        const value = tie + steps * tie * Number.EPSILON;
        expect(roundHalfEven(value, digits)).toBe(roundExactly(value, digits));
        expect(roundHalfEven(-value, digits)).toBe(roundExactly(-value, digits));
      }),
      { numRuns: 3000 },
    );
  });
});
