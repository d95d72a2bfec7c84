import { expect, test } from 'vitest';
import { hashOf, streamOf } from '../../src/sandbox/random-walks.ts';

const draws = (seed: number, name: string, count: number) => {
  const stream = streamOf(seed, name);
  return Array.from({ length: count }, () => stream.uniform());
};

test('a stream is a function of its seed and its name', () => {
  expect(draws(1, 'a', 5)).toEqual(draws(1, 'a', 5));
  expect(draws(1, 'a', 5)).not.toEqual(draws(2, 'a', 5));
  expect(draws(1, 'a', 5)).not.toEqual(draws(1, 'b', 5));
});

test('uniform draws fill [0, 1) evenly', () => {
  const all = draws(7, 'even', 20_000);
  expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...all)).toBeLessThan(1);
  const tenths = Array.from({ length: 10 }, (_, i) => all.filter((x) => Math.floor(x * 10) === i).length);
  for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
});

test('normal draws have mean 0 and variance 1', () => {
  const stream = streamOf(7, 'normal');
  const all = Array.from({ length: 20_000 }, () => stream.normal());
  const mean = all.reduce((sum, x) => sum + x, 0) / all.length;
  const variance = all.reduce((sum, x) => sum + (x - mean) ** 2, 0) / all.length;
  expect(mean).toBeCloseTo(0, 1);
  expect(variance).toBeCloseTo(1, 1);
});

test('names that differ in one letter have hashes that differ in about half of their bits', () => {
  const bits = Array.from({ length: 500 }, (_, i) => {
    let differing = hashOf(1, `series/${i}`) ^ hashOf(1, `series/${i}x`);
    let count = 0;
    for (; differing !== 0; differing &= differing - 1) count += 1;
    return count;
  });
  const usual = bits.reduce((sum, count) => sum + count, 0) / bits.length;
  expect(usual).toBeGreaterThan(14);
  expect(usual).toBeLessThan(18);
});
