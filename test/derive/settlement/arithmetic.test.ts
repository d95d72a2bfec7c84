import { describe, expect, it } from 'vitest';
import { decimalOf, parseDecimal, toNumber } from '../../../src/derive/decimal.ts';
import { printedDigits, roundAwayFromZero, settlementOutcome } from '../../../src/derive/settlement/templates.ts';

const decimal = (text: string) => parseDecimal(text) ?? { units: 0n, scale: 0 };
const json = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('roundAwayFromZero', () => {
  it.each([
    ['2.5', 0, 3],
    ['-2.5', 0, -3],
    ['0.05', 1, 0.1],
    ['-0.05', 1, -0.1],
    ['1.005', 2, 1.01],
    ['-1.005', 2, -1.01],
    ['1.0049999', 2, 1],
    ['3.2', 1, 3.2],
    ['3', 2, 3],
    ['0.4', 0, 0],
    ['-0.4', 0, 0],
    ['1e21', 1, 1e21],
  ])('makes %s with %i digits %d', (text, digits, expected) => {
    expect(toNumber(roundAwayFromZero(decimal(text), digits)) + 0).toBe(expected);
  });
});

describe('printedDigits', () => {
  it.each([
    [3, 0],
    [3.2, 1],
    [4.25, 2],
    [-0.001, 3],
    [0, 0],
    [1e21, 0],
    [1e-7, 7],
  ])('of %d is %i', (value, digits) => {
    expect(printedDigits(decimalOf(value) ?? { units: 0n, scale: 9 })).toBe(digits);
  });
});

describe('outcomeOf', () => {
  it.each([
    ['gt', [true, false, false]],
    ['gte', [true, true, false]],
    ['lt', [false, false, true]],
    ['lte', [false, true, true]],
    ['eq', [false, true, false]],
  ] as const)('%s against a strike above, at and below the value', (comparison, expected) => {
    const told = [3.1, 3.2, 3.3].map((strike) => json(settlementOutcome(decimal('3.2'), { strike, comparison })));
    expect(told).toEqual([3.1, 3.2, 3.3].map((strike, i) => ({ strike, comparison, resolves_yes: expected[i] })));
  });

  it('compares decimals, not doubles: 0.1 + 0.2 is not 0.3', () => {
    expect(json(settlementOutcome(decimal('0.3'), { strike: 0.3, comparison: 'eq' }))).toMatchObject({
      resolves_yes: true,
    });
    expect(json(settlementOutcome(decimal('0.3'), { strike: 0.1 + 0.2, comparison: 'lt' }))).toMatchObject({
      resolves_yes: true,
    });
  });

  it.each([
    ['4.5', 4.25, 'hike', 25],
    ['4.25', 4.25, 'hold', 0],
    ['4', 4.5, 'cut', -50],
    ['-0.1', 0.05, 'cut', -15],
    ['0.1', 0.08, 'hike', 2],
  ])('a rate of %s after %d is a %s', (value, previous, decision, change) => {
    const wish = {
      strike: undefined,
      comparison: 'gte',
      decision: { previous, range: { lower: 4, upper: 4.25 } },
    } as const;
    expect(json(settlementOutcome(decimal(value), wish))).toEqual({
      decision,
      change_bps: change,
      previous_value: previous,
      target_range: { lower: 4, upper: 4.25 },
    });
  });

  it('is absent with neither a strike nor a decision, and of a first decision only the range is known', () => {
    expect(settlementOutcome(decimal('1'), { strike: undefined, comparison: 'gte' })).toBeUndefined();
    const none = { strike: undefined, comparison: 'gte' } as const;
    expect(
      settlementOutcome(decimal('1'), { ...none, decision: { previous: null, range: undefined } }),
    ).toBeUndefined();
  });
});
