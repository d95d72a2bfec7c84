import { describe, expect, it } from 'vitest';
import { cutBody, listAt } from '../../../src/contract/json/body.ts';
import fc from '../../support/properties.ts';

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
