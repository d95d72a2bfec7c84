import { expect, test } from 'vitest';
import { etagMatches } from '../../src/contract/headers.ts';

// RFC 9110, section 8.8.3.2 (weak comparison) and 13.1.2 (the list and the asterisk).
test.each([
  ['W/"1"', 'W/"1"', true],
  ['"1"', 'W/"1"', true],
  ['W/"1"', '"1"', true],
  ['W/"1"', 'W/"2"', false],
  ['"0", W/"1" ,"2"', 'W/"1"', true],
  ['"a,b", "1"', 'W/"1"', true],
  ['*', 'W/"1"', true],
  [' * ', 'W/"1"', true],
  ['1', 'W/"1"', false],
  ['"', 'W/"1"', false],
  ['', 'W/"1"', false],
])('If-None-Match %j against %j is %s', (header, etag, held) => {
  expect(etagMatches(header, etag)).toBe(held);
});

test('an answer without a validator never matches, nor does a request without the header', () => {
  expect(etagMatches('*', undefined)).toBe(false);
  expect(etagMatches(undefined, 'W/"1"')).toBe(false);
});
