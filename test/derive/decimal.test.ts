import { describe, expect, it } from 'vitest';
import {
  compare,
  type Decimal,
  decimalOf,
  divide,
  multiply,
  parseDecimal,
  toNumber,
} from '../../src/derive/decimal.ts';
import fc from '../support/properties.ts';
import { pencilDivide } from './forex/pencil.ts';

function read(text: string): Decimal {
  const value = parseDecimal(text);
  if (!value) throw new Error(`${text} is no decimal`);
  return value;
}

describe('reading decimals', () => {
  it.each([
    ['1.1684', 11684n, 4],
    ['1.10', 110n, 2],
    ['-0.5', -5n, 1],
    ['372274', 372274n, 0],
    ['5.4e-7', 54n, 8],
    ['1e+21', 10n ** 21n, 0],
    ['-0', 0n, 0],
  ])('keeps every digit of %s', (text, units, scale) => {
    expect(parseDecimal(text)).toEqual({ units, scale });
  });

  it.each(['', '.5', '1.', '1,5', 'NaN', 'Infinity', '0x10', ' 1', '--1'])('refuses %j', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it('takes a double for its shortest text, not for its binary value', () => {
    expect(decimalOf(0.1)).toEqual({ units: 1n, scale: 1 });
    expect(decimalOf(Number.NaN)).toBeUndefined();
  });

  it('gives every finite double back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(toNumber(read(String(value)))).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});

describe('arithmetic', () => {
  it.each([
    ['1', '1.1684', 6, 855871n], // 0.85587127...
    ['186.75', '0.87058', 6, 214512164n], // 214.51216430...
    ['1', '8', 2, 12n], // 0.125: a tie goes to the even 12
    ['3', '8', 2, 38n], // 0.375: a tie goes to the even 38
    ['1', '2', 0, 0n],
    ['3', '2', 0, 2n],
    ['5', '2', 0, 2n],
    ['-1', '8', 2, -12n],
    ['-3', '8', 2, -38n],
    ['3', '-8', 2, -38n],
    ['2', '3', 0, 1n],
    ['123456', '1', 0, 123456n],
    ['1.25', '0.001', 0, 1250n],
  ])('%s / %s with %i decimals', (a, b, digits, units) => {
    expect(divide(read(a), read(b), digits)).toEqual({ units, scale: digits });
  });

  it('divides as with pencil and paper', () => {
    const positive = fc.tuple(fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 0, max: 12 }));
    fc.assert(
      fc.property(positive, positive, fc.integer({ min: 0, max: 9 }), ([a, as], [b, bs], digits) => {
        const top = { units: a, scale: as };
        const bottom = { units: b, scale: bs };
        expect(divide(top, bottom, digits).units).toBe(pencilDivide([a, as], [b, bs], digits));
      }),
    );
  });

  it('multiplies exactly', () => {
    expect(multiply(read('1.1684'), read('0.87058'))).toEqual({ units: 1017185672n, scale: 9 });
  });

  it('compares across scales', () => {
    expect(compare(read('1.10'), read('1.1'))).toBe(0);
    expect(compare(read('0.0099'), read('0.01'))).toBe(-1);
    expect(compare(read('-1'), read('-1.5'))).toBe(1);
  });
});
