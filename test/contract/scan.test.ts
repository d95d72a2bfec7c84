import { describe, expect, it } from 'vitest';
import { memberSpans } from '../../src/contract/json/scan.ts';
import fc from '../support/properties.ts';

const cut = (text: string) => memberSpans(text).map(({ name, start, end }) => [name, text.slice(start, end)]);

describe('spansOf', () => {
  it('cuts members with their own spelling', () => {
    expect(cut('{ "a" : 159075000.0 , "b\\"c":[1, {"x":"]}"}],"d":"\\\\" }')).toEqual([
      ['a', '159075000.0'],
      ['b"c', '[1, {"x":"]}"}]'],
      ['d', '"\\\\"'],
    ]);
  });

  it('cuts the items of an array, and nothing of an empty one', () => {
    expect(cut('[1,"two",{"three":3},null,-4e5]')).toEqual(
      ['1', '"two"', '{"three":3}', 'null', '-4e5'].map((item) => ['', item]),
    );
    expect(cut(' [ ] ')).toEqual([]);
    expect(cut('{}')).toEqual([]);
  });

  it.each(['', '1', '{"a"', '{"a":', '{"a":1', '{"a" 1}', '[1 2]', '["a]', '{"a":{}', '[,]', '{"a":}'])(
    'refuses the broken text %j',
    (text) => {
      expect(() => memberSpans(text)).toThrow(SyntaxError);
    },
  );

  it('refuses nesting deeper than 64 levels, as whoever reads the text does', () => {
    expect(() => memberSpans(`[${'['.repeat(63)}${']'.repeat(63)}]`)).not.toThrow();
    expect(() => memberSpans(`[${'['.repeat(64)}${']'.repeat(64)}]`)).toThrow('Nested deeper than 64 levels');
  });

  it('opens a list by its name on the way, as deep as it stands', () => {
    const text = '{"data":[1],"deep":{"data":[7]},"data":[ {"a":[2]} ,"x"]}';
    const lists = memberSpans(text, 0, 'data').map(({ items }) =>
      items?.map(({ start, end }) => text.slice(start, end)),
    );
    expect(lists).toEqual([['1'], undefined, ['{"a":[2]}', '"x"']]);
    const nested = (levels: number) => `{"data":[${'['.repeat(levels)}${']'.repeat(levels)}]}`;
    expect(() => memberSpans(nested(62), 0, 'data')).not.toThrow();
    expect(() => memberSpans(nested(63), 0, 'data')).toThrow('Nested deeper than 64 levels');
    expect(() => memberSpans('{"data":[1,]}', 0, 'data')).toThrow(SyntaxError);
  });

  it('finds what JSON.parse finds, in any object and with any blanks', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom('', ' ', '\n\t'), (value, blank) => {
        const text = JSON.stringify(value, null, blank);
        const found = Object.fromEntries(cut(text).map(([name, part]) => [name, JSON.parse(part ?? '')]));
        expect(found).toEqual(JSON.parse(text));
      }),
    );
  });
});
