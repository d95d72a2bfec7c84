import { describe, expect, it } from 'vitest';
import {
  asJsonText,
  floatOrNullText,
  floatText,
  isJsonObject,
  isTooDeep,
  jsonEqual,
  objectIn,
  parseJson,
  parseObject,
  readJson,
} from '../../../src/contract/json/json.ts';

describe('the value of a text', () => {
  it('from outside is null for what is no JSON or too deep', () => {
    expect([parseJson('{"a":[1]}'), parseJson('{'), parseJson(''), parseJson('['.repeat(65) + ']'.repeat(65))]).toEqual(
      [{ a: [1] }, null, null, null],
    );
    expect(() => readJson('['.repeat(65) + ']'.repeat(65))).toThrow(new SyntaxError('Nested deeper than 64 levels'));
  });

  it('is an object or an empty one', () => {
    expect(['{"a":1}', '[1]', 'null', '"x"'].map(parseObject)).toEqual([{ a: 1 }, {}, {}, {}]);
    expect([{ a: 1 }, [1], null, undefined, 'x'].map(objectIn)).toEqual([{ a: 1 }, {}, {}, {}, {}]);
    expect([{}, [], null, undefined, 'x', 1].map(isJsonObject)).toEqual([true, false, false, false, false, false]);
  });
});

describe('two values', () => {
  it.each<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, 2, false],
    [0, -0, true],
    [-0, 0, true],
    [0, null, false],
    [null, 0, false],
    [0, 1, false],
    [1, 0, false],
    [0, {}, false],
    [{}, 0, false],
    ['a', 'a', true],
    ['a', 'b', false],
    [null, {}, false],
    [{}, null, false],
    [[], [], true],
    [[], {}, false],
    [{}, [], false],
    [[1], { 0: 1, length: 1 }, false],
    [{ 0: 1, length: 1 }, [1], false],
    [[1, 2], [1, 2], true],
    [[1, 2], [1, 3], false],
    [[1, 2], [3, 2], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(jsonEqual(a, b)).toBe(expected);
  });
});

describe('the text of a float', () => {
  it.each([
    [3, '3.0'],
    [-3, '-3.0'],
    [0.1, '0.1'],
    [9_999_999_999_999_998, '9999999999999998.0'],
    [1e16, '10000000000000000'],
    [-1e16, '-10000000000000000'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
  ])('%d is %s', (value, expected) => {
    expect(floatText(value)).toBe(expected);
    expect(floatOrNullText(value)).toBe(expected);
  });

  it('is null where there is none', () => {
    expect(floatOrNullText(null)).toBe(asJsonText('null'));
  });
});

describe('nesting', () => {
  const deep = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth);
  const beside = '{},'.repeat(100);

  it.each([
    ['exactly 64 levels', deep(64), false],
    ['65 levels', deep(65), true],
    ['64 levels with many values beside them', `[${beside}${deep(63)}]`, false],
    ['65 levels with many values beside them', `[${beside}${deep(64)}]`, true],
    ['65 levels behind closed ones', `[${deep(30)},${deep(30)},${deep(64)}]`, true],
    ['objects that open and close', `[${'{"a":{}},'.repeat(100)}1]`, false],
    ['arrays that open and close', `[${'[[]],'.repeat(100)}1]`, false],
    ['brackets in a string among others', `["${'['.repeat(100)}",${deep(63)}]`, false],
    ['brackets behind a quote in a string', `["\\"${'['.repeat(100)}"]`, false],
    ['brackets behind a backslash and the end of a string', `["\\\\",${deep(64)}]`, true],
    ['brackets behind three backslashes and a quote', `["\\\\\\"${'['.repeat(100)}"]`, false],
    ['brackets behind an empty string', `["",${deep(64)}]`, true],
    ['brackets behind a string of one backslash pair', `["a","\\\\\\\\",${deep(64)}]`, true],
    ['a backslash before a string, which only a broken text has', `[\\"",${deep(64)}]`, true],
    ['brackets in a string that never ends', `["${'['.repeat(100)}`, false],
  ])('%s: too deep is %s', (_, text, expected) => {
    expect(isTooDeep(text)).toBe(expected);
  });
});
