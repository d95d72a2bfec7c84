import { expect, it } from 'vitest';
import { floatText } from '../../src/contract/json/json.ts';
import fc from '../support/properties.ts';

/** The engine's shortest text, with a point. */
function spelled(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
}

it('spells values that were rounded to any number of decimals', () => {
  const decimals = fc.tuple(fc.integer({ min: -4_000_000_000, max: 4_000_000_000 }), fc.integer({ min: 0, max: 9 }));
  fc.assert(
    fc.property(decimals, ([units, digits]) => {
      const value = Number(`${units}e-${digits}`);
      expect(floatText(value)).toBe(spelled(value));
    }),
  );
});

it('spells any other number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(floatText(value)).toBe(spelled(value));
    }),
  );
});

it.each([
  [0, '0.0'],
  [-0, '0.0'],
  [0.000001, '0.000001'],
  [-0.0000005, '-5e-7'],
  [2000, '2000.0'],
  [1999.999999, '1999.999999'],
  [2000.000001, '2000.000001'],
  [-1.05, '-1.05'],
  [0.1 + 0.2, '0.30000000000000004'],
  [Number.POSITIVE_INFINITY, 'null'],
  [Number.NaN, 'null'],
])('spells %s', (value, text) => {
  expect(floatText(value)).toBe(text);
});
