import { describe, expect, it } from 'vitest';
import { contentSumOf, createContentSum } from '../../src/contract/content-sum.ts';

function ofNumbers(values: readonly number[], from = 0, to = values.length): string {
  const sum = createContentSum();
  sum.addNumbers(Float64Array.from(values), from, to);
  return sum.read();
}

describe('a content sum', () => {
  it('is the same for the same texts, and another one for other texts, another order or other borders', () => {
    const lists = [['ab', 'c'], ['a', 'bc'], ['c', 'ab'], ['abc'], ['ab', 'c', ''], ['ab', 'd'], ['ab', 'c\u0000'], []];
    expect(new Set(lists.map(contentSumOf)).size).toBe(lists.length);
    expect(contentSumOf(['ab', 'c'])).toBe(contentSumOf(['ab', 'c']));
    expect(contentSumOf(['2026-11-27'])).toMatch(/^[0-9a-f]{16}$/);
  });

  it('tells numbers apart by their last bit and by their sign, and takes every NaN for one', () => {
    const near = [1.1, 1.1 + Number.EPSILON, -1.1, 0, -0, Number.NaN, Number.POSITIVE_INFINITY];
    expect(new Set(near.map((value) => ofNumbers([value]))).size).toBe(near.length);
    const other = new Float64Array(new BigUint64Array([0x7ff8000000000001n]).buffer);
    expect(ofNumbers([...other])).toBe(ofNumbers([Number.NaN]));
    expect(ofNumbers([9, 1, 2, 9], 1, 3)).toBe(ofNumbers([1, 2]));
    expect(ofNumbers([1, 2])).not.toBe(ofNumbers([2, 1]));
  });

  it('has no two equal ones among 200,000 histories that differ in one digit', () => {
    const sums = new Set<string>();
    for (let i = 0; i < 200_000; i += 1) sums.add(ofNumbers([1.0834, 1 + i / 1e6, 1.0834]));
    expect(sums.size).toBe(200_000);
  });
});
