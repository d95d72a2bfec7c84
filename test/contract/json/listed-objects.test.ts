import { describe, expect, it } from 'vitest';
import { cutBody, listAt, objectCounts } from '../../../src/contract/json/body.ts';
import fc from '../../support/properties.ts';

const countsIn = (text: string) => {
  const body = JSON.parse(text);
  return objectCounts(text, body, body.data);
};

describe('the objects of listed rows', () => {
  it.each([
    ['plain rows', '{"data":[{"a":1},{"a":2}],"n":{"m":{}}}', [1, 1]],
    ['rows with objects inside', '{"data":[{"a":{"b":[{},{}]}},{"a":null}]}', [4, 1]],
    ['a brace that opens in a string', '{"data":[{"a":"{"}]}', [1]],
    ['no rows', '{"data":[]}', []],
  ])('are counted of %s', (_, text, counts) => {
    expect(countsIn(text)).toEqual(counts);
  });

  it.each([
    ['a brace that closes in a string', '{"data":[{"a":"}"}]}'],
    ['one in a name', '{"data":[{"}":1}]}'],
    ['one beside the rows', '{"n":"}","data":[{"a":1}]}'],
    ['an object that a second member replaces', '{"data":[{"a":{},"a":1}]}'],
    ['a list that a second one replaces', '{"data":[{"a":1}],"data":[{"a":2}]}'],
    ['rows that are no objects', '{"data":[{"a":1},[2]]}'],
    ['no list', '{"data":{"a":1}}'],
    ['rows too deep', `{"data":[{"a":${'['.repeat(62)}${']'.repeat(62)}}]}`],
  ])('tell no ends where there is %s', (_, text) => {
    expect(countsIn(text)).toBe(undefined);
  });
});

describe('a body whose value is known', () => {
  const refusalOr = (cut: () => unknown) => {
    try {
      return cut();
    } catch (error) {
      return String(error);
    }
  };

  it('is cut as one whose value is not, whatever stands in its rows', () => {
    const texts = fc.constantFrom('a', '}', '{"', '],', '\\"', 'é}', '\n');
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        texts,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(texts, tie('any'), { maxKeys: 3 }),
      ),
    })).any;
    const row = fc.oneof({ weight: 9, arbitrary: fc.dictionary(texts, value) }, value);
    const members = fc.array(fc.tuple(fc.constantFrom('data', 'n', '__proto__'), fc.oneof(fc.array(row), value)));
    fc.assert(
      fc.property(members, fc.constantFrom('', ' ', '\n\t'), (pairs, blank) => {
        const inner = pairs.map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one, null, blank)}`);
        const text = `{${inner.join(`${blank},`)}}`;
        const known = refusalOr(() => cutBody(listAt(), text, JSON.parse(text)));
        expect(known).toEqual(refusalOr(() => cutBody(listAt(), text)));
      }),
    );
  });
});
