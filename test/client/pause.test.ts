import { expect, it } from 'vitest';
import { pauseBefore } from '../../src/client/http/retry.ts';

const ask = { failures: 0, first: 3000, retryAfter: undefined, random: 0 };

it('doubles from the first wait up to a minute', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 50].map((failures) => pauseBefore({ ...ask, failures }));
  expect(pauses).toEqual([3000, 6000, 12_000, 24_000, 30_000, 30_000, 30_000]);
  expect(pauseBefore({ ...ask, failures: 50, random: 0.999_999_9 })).toBe(60_000);
});

it('is spread over its upper half', () => {
  const pauses = [0, 0.5, 0.999_999_9].map((random) => pauseBefore({ ...ask, random }));
  expect(pauses).toEqual([3000, 4500, 6000]);
});

it('is never sooner than asked, and never a loop', () => {
  expect(pauseBefore({ ...ask, first: 20_000, random: 0 })).toBe(20_000);
  expect(pauseBefore({ ...ask, first: 0, random: 0 })).toBe(250);
  expect(pauseBefore({ ...ask, first: 9e15, random: 0.5 })).toBe(60_000);
});

it('waits as long as a refusal asks for', () => {
  expect(pauseBefore({ ...ask, retryAfter: 120_000 })).toBe(120_000);
  expect(pauseBefore({ ...ask, retryAfter: 1 })).toBe(3000);
});
