import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import type { FxObservation } from '../../../src/derive/fx/legs.ts';
import type { Path } from '../../../src/derive/fx/paths.ts';
import { checkRate } from '../../../src/derive/fx/rates.ts';
import { imported } from './world.ts';

const series = imported('USD', []);

function seen(val: number | null): FxObservation {
  return { date: '2026-04-13', val, series, text: asJsonText('{}') };
}

function check(path: Path, legs: readonly number[], rate: number | null, reverse?: number | null) {
  const point = { date: '2026-04-13', parts: legs.map(seen) };
  return checkRate(path, point, rate, reverse === undefined ? undefined : seen(reverse));
}

const pair = { base: 'EUR', quote: 'USD' };
const direct: Path = { method: 'direct_original_pair', legs: [{ pair, side: 'times' }] };
const inverse: Path = { method: 'inverse_of_direct_pair', legs: [{ pair, side: 'over' }] };
const cross: Path = {
  method: 'cross_via_anchor',
  anchor: 'EUR',
  legs: [
    { pair: { base: 'EUR', quote: 'GBP' }, side: 'over' },
    { pair: { base: 'EUR', quote: 'JPY' }, side: 'times' },
  ],
};

describe('the consistency check', () => {
  it('passes a derived rate that multiplies back to the published leg within its last decimal', () => {
    expect(check(inverse, [1.1684], 0.855871)).toBe('passed');
    expect(check(cross, [0.87058, 186.75], 214.512164)).toBe('passed');
    expect(check(inverse, [186.75], 0.00535475)).toBe('passed');
  });

  it('fails one that is off by one in its last decimal', () => {
    expect(check(inverse, [1.1684], 0.855872)).toBe('failed');
    expect(check(cross, [0.87058, 186.75], 214.512163)).toBe('failed');
    expect(check(inverse, [186.75], 0.00535476)).toBe('failed');
  });

  it('passes a tie, which may go either way', () => {
    expect(check(inverse, [64], 0.015625)).toBe('passed');
    expect(check(inverse, [128], 0.0078125)).toBe('passed');
  });

  it('fails a derived rate that rounding has made zero', () => {
    expect(check(inverse, [1e9], 0)).toBe('failed');
  });

  it('passes a direct rate without a reverse when it is above zero', () => {
    expect(check(direct, [1.1684], 1.1684)).toBe('passed');
    expect(check(direct, [-1], -1)).toBe('failed');
    expect(check(direct, [1.1684], 1.1684, null)).toBe('passed');
  });

  it('holds a direct rate against its reverse within the rounding of both', () => {
    expect(check(direct, [1.1684], 1.1684, 0.8559)).toBe('passed');
    expect(check(direct, [1.1684], 1.1684, 0.8562)).toBe('failed');
    expect(check(direct, [1.1684], 1.1684, -0.8559)).toBe('failed');
  });

  it('does not apply without a rate', () => {
    expect(check(direct, [], null)).toBe('not_applicable');
  });
});
