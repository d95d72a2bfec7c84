import { describe, expect, it } from 'vitest';
import { float } from '../../src/contract/json/json.ts';
import { spelledLike } from '../../src/contract/json/scan.ts';

describe('members spelled like those of another text', () => {
  const text = '{"spread": -150.0, "deep":{"n":1.50,"list":[ 2.0 ]}, "ns":1794823201000000001, "name":"a\\u0062"}';

  it('keep their spelling while they have the value', () => {
    const members = JSON.parse(text);
    expect(spelledLike(members, [text])).toBe(
      '{"spread":-150.0,"deep":{"n":1.50,"list":[ 2.0 ]},"ns":1794823201000000001,"name":"a\\u0062"}',
    );
  });

  it('are written anew when they are new, changed or computed, in the order of the members', () => {
    const members = { more: true, deep: { n: 1.5, list: [2.1] }, spread: -150, computed: float(4), gone: undefined };
    expect(spelledLike(members, [text])).toBe(
      '{"more":true,"deep":{"n":1.5,"list":[2.1]},"spread":-150.0,"computed":4.0}',
    );
  });

  it('take the first text that has the value', () => {
    expect(spelledLike({ a: 2 }, ['{"a":1.0}', '{"a":2.00}', '{"a":2.0}'])).toBe('{"a":2.00}');
    expect(spelledLike({ a: 2 }, [])).toBe('{"a":2}');
  });

  it('take the last of a member that stands twice, as every reader does', () => {
    expect(spelledLike({ a: 2 }, ['{"a":2.00,"a":2.0}'])).toBe('{"a":2.0}');
  });

  it('are spelled for each name and each text, where the very same object was spelled otherwise just before', () => {
    const deep = { n: 1.5 };
    const texts: readonly (readonly [string[], string])[] = [
      [['{"a":{"n":1.50}}'], '{"a":{"n":1.50},"b":{"n":1.5}}'],
      [['{"b":{"n":1.500}}'], '{"a":{"n":1.5},"b":{"n":1.500}}'],
      [['{"b":{"n":1.5000}}', '{"a":{"n":1.50}}'], '{"a":{"n":1.50},"b":{"n":1.5000}}'],
      [[], '{"a":{"n":1.5},"b":{"n":1.5}}'],
    ];
    for (const [others, expected] of [...texts, ...texts.toReversed()])
      expect(spelledLike({ a: deep, b: deep }, others)).toBe(expected);
  });
});
