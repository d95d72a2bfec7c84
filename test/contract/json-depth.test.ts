import { expect, it } from 'vitest';
import { isTooDeep, readJson } from '../../src/contract/json/json.ts';
import fc from '../support/properties.ts';

const nested = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;
const NAMED = '{"a":';

it.each([
  ['64 arrays', nested(64), false],
  ['65 arrays', nested(65), true],
  ['64 objects', `${NAMED.repeat(64)}1${'}'.repeat(64)}`, false],
  ['65 objects', `${NAMED.repeat(65)}1${'}'.repeat(65)}`, true],
  ['100,000 arrays', nested(100_000), true],
  ['100,000 objects', `${NAMED.repeat(100_000)}1${'}'.repeat(100_000)}`, true],
  ['100,000 that nobody closes', '['.repeat(100_000), true],
  ['many beside each other', `[${Array(1000).fill('{"a":[]}').join(',')}]`, false],
  ['brackets in a text', JSON.stringify('['.repeat(1000)), false],
  ['brackets behind a quote in a text', JSON.stringify(`\\"${'['.repeat(1000)}`), false],
])('%s', (_what, text, expected) => {
  expect(isTooDeep(text)).toBe(expected);
});

it('what is too deep is no JSON', () => {
  expect(() => readJson(nested(65))).toThrow(new SyntaxError('Nested deeper than 64 levels'));
  expect(readJson(nested(2))).toEqual([[]]);
});

it('knows the depth of any value', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), fc.nat(70), (value, more) => {
      expect(isTooDeep(nested(more, JSON.stringify(value)))).toBe(more + depthOf(value) > 64);
    }),
  );
});
