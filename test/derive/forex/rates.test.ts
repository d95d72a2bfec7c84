import { describe, expect, it } from 'vitest';
import type { Path } from '../../../src/derive/fx/paths.ts';
import { rateOf } from '../../../src/derive/fx/rates.ts';
import fc from '../../support/properties.ts';
import { pencilDivide } from './pencil.ts';

const cross: Path = {
  method: 'cross_via_anchor',
  anchor: 'EUR',
  legs: [
    { pair: { base: 'EUR', quote: 'GBP' }, side: 'over' },
    { pair: { base: 'EUR', quote: 'JPY' }, side: 'times' },
  ],
};

function derive(over: number | null, times: number | null) {
  return rateOf(cross, [over, times]);
}

describe('a derived rate', () => {
  it.each([
    [8, 1.000001, 0.125], // 0.125000125
    [8, 1.000004, 0.125], // 0.1250005: a tie goes to the even ...000
    [8, 1.000012, 0.125002], // 0.1250015: a tie goes to the even ...002
    [64, 1, 0.015625],
    [128, 1, 0.0078125], // 8 decimals hold it
    [1024, 1, 0.00097656], // 0.0009765625: a tie goes to the even ...56
    [100, 1, 0.01], // exactly at the bound: 6 decimals
    [100, 0.9999996, 0.01], // 0.009999996: 8 decimals make 0.01
    [100, 0.9999995, 0.01], // 0.009999995: a tie of 8 decimals, to the even 0.01000000
    [1, 20082.05, 20082.05],
    [0.0000001, 1e9, 1e16], // too large for whole units in a double
  ])('over %f, times %f is %f', (over, times, rate) => {
    expect(derive(over, times)).toBe(rate);
  });

  it('is the same by doubles where those suffice and by exact decimals where they do not', () => {
    const published = fc.tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(published, published, ([top, topDecimals], [bottom, bottomDecimals]) => {
        const [a, b] = [`${top}e-${topDecimals}`, `${bottom}e-${bottomDecimals}`];
        const below = BigInt(top) * 100n * 10n ** BigInt(bottomDecimals) < BigInt(bottom) * 10n ** BigInt(topDecimals);
        const digits = below ? 8 : 6;
        const units = pencilDivide([BigInt(top), topDecimals], [BigInt(bottom), bottomDecimals], digits);
        expect(derive(Number(b), Number(a))).toBe(Number(`${units}e-${digits}`));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not follow from a leg without a rate', () => {
    expect(derive(null, 1)).toBeNull();
    expect(derive(0, 1)).toBeNull();
    expect(derive(-1, 1)).toBeNull();
  });
});
