import { describe, expect, it } from 'vitest';
import { contentSumOf, rowSumsOf } from '../../src/contract/content-sum.ts';

function ofNumbers(values: readonly number[], start = 0, end = values.length): string {
  return rowSumsOf(values.length, (sum, place) => {
    sum.add(String(place - start));
    sum.addNumber(values[place] ?? 0);
  })({ start, end });
}

describe('a content sum', () => {
  it('is the same for the same texts in any order, and another one for other texts or other borders', () => {
    const lists = [['ab', 'c'], ['a', 'bc'], ['cab'], ['abc'], ['ab', 'c', ''], ['ab', 'd'], ['ab', 'c\u0000'], []];
    expect(new Set(lists.map(contentSumOf)).size).toBe(lists.length);
    expect(contentSumOf(['ab', 'c'])).toBe(contentSumOf(['c', 'ab']));
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

describe('sums over ranges of rows', () => {
  const rows = Array.from({ length: 400 }, (_, i) => `2026-01-01 plus ${i} days: ${1 + (i % 7) / 10}`);
  const counting = (texts: readonly string[], counted: number[] = []) =>
    rowSumsOf(texts.length, (sum, place) => {
      counted.push(place);
      sum.add(texts[place] ?? '');
    });

  it('are those of the rows of the range, whatever was asked before and whatever stands around it', () => {
    const seen = new Map<string, string>();
    const asked = counting(rows);
    for (let start = 0; start < 40; start += 1)
      for (let end = start; end <= 40; end += 1) {
        const sum = asked({ start, end });
        expect(sum).toMatch(/^[0-9a-f]{16}$/);
        expect(sum).toBe(counting(rows.slice(start, end))({ start: 0, end: end - start }));
        seen.set(sum, start === end ? 'empty' : `${start} ${end}`);
      }
    expect(new Set(seen.values()).size).toBe(seen.size);
  });

  it('differ where one row of the range differs, and hash each row once', () => {
    const counted: number[] = [];
    const before = counting(rows, counted);
    const after = counting(rows.with(250, 'another'));
    const differs = [
      { start: 0, end: 250 },
      { start: 251, end: 400 },
      { start: 250, end: 251 },
      { start: 0, end: 400 },
    ].map((range) => before(range) !== after(range));
    expect(differs).toEqual([false, false, true, true]);
    expect(counted).toEqual([...rows.keys()]);
  });
});
