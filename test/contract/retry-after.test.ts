import { describe, expect, test } from 'vitest';
import { retryAfterOf } from '../../src/contract/headers.ts';
import { TEST_NOW } from '../support/platform.ts';

describe('Retry-After', () => {
  test.each([
    ['120', 120],
    [' 5 ', 5],
    ['Sat, 21 Nov 2026 05:47:13 GMT', 60],
    ['Sat, 21 Nov 2026 05:00:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%j is %s seconds', (raw, seconds) => {
    expect(retryAfterOf(new Headers({ 'retry-after': raw }), TEST_NOW)).toBe(seconds);
  });
});
