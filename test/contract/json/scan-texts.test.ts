import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { countMembers, memberSpans, memberTexts, singleMembers } from '../../../src/contract/json/scan.ts';

const cut = (text: string) => memberSpans(text).map(({ name, start, end }) => [name, text.slice(start, end)]);

describe('a broken text', () => {
  it.each([
    ['', 'Expected an object or an array'],
    ['7', 'Expected an object or an array'],
    ['"a"', 'Expected an object or an array'],
    ['"":1}', 'Expected an object or an array'],
    ['{a:1}', 'Expected a string'],
    ['{1:"a"}', 'Expected a string'],
    ['{"a" 1}', 'Expected a colon after a member name'],
    ['{"a",1}', 'Expected a colon after a member name'],
    ['["a" "b"]', 'Expected a comma or the end of the list'],
    ['[1}', 'Expected a comma or the end of the list'],
    ['{"a":1]', 'Expected a comma or the end of the list'],
    ['{"a', 'Unterminated string'],
    ['["a\\"]', 'Unterminated string'],
    ['{"a":{"b":1', 'Unterminated value'],
    ['[[', 'Unterminated value'],
    ['[,]', 'Expected a value'],
    ['{"a":}', 'Expected a value'],
    ['[1,', 'Expected a value'],
  ])('%j says what is missing', (text, message) => {
    expect(() => memberSpans(text)).toThrow(new SyntaxError(message));
  });
});

describe('the members of a text', () => {
  it('may have any blanks between them that JSON has', () => {
    expect(cut('\r\n\t {\r\n"a"\t:\r1 ,\n"b"\r:\t[\r]\r}')).toEqual([
      ['a', '1'],
      ['b', '[\r]'],
    ]);
  });

  it('have names that are read as JSON reads them', () => {
    const names = ['a-b.c d_9', '', 'é', 'a"b', 'tab\\t'];
    const text = `{${names.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`;
    expect(memberSpans(text).map(({ name }) => name)).toEqual(names);
    expect(memberSpans('{"\\u0061":1}').map(({ name }) => name)).toEqual(['a']);
    expect(() => memberSpans('{"a\nb":1}')).toThrow(SyntaxError);
  });

  it('are opened where they are a list of that name, and nothing else is', () => {
    const opened = (text: string, name: string) => memberSpans(text, 0, name).map(({ items }) => items?.length);
    expect(opened('{"data":[1,2],"list":[3]}', 'data')).toEqual([2, undefined]);
    expect(opened('{"data":{"a":1}}', 'data')).toEqual([undefined]);
    expect(opened('{"data":"[1]"}', 'data')).toEqual([undefined]);
    expect(memberSpans('{"":[1]}').map(({ items }) => items)).toEqual([undefined]);
  });

  it('begin where they are asked for', () => {
    const text = '{"a":{"b":1}}';
    expect(memberSpans(text, 5)).toEqual([{ name: 'b', start: 10, end: 11 }]);
  });
});

describe('the texts of some members', () => {
  it('come in the asked order, spelled as they stand; what is not there is undefined, what stands twice its last', () => {
    const text = asJsonText('{"a":1.0,"b":[ 2 ],"a":3.00}');
    expect(memberTexts(text, ['b', 'c', 'a'])).toEqual(['[ 2 ]', undefined, '3.00']);
  });
});

describe('members of all objects of a text', () => {
  it.each([
    ['{}', 0],
    ['[]', 0],
    ['7', 0],
    ['"a"', 0],
    ['{"a":1}', 1],
    ['{"a":1,"a":2}', 2],
    ['{"a" \n: {"b":[{"c":1},{"c":"d"}]},"e":"f"}', 5],
    ['["a:","b"]', 0],
    ['{"a\\":":"x"}', 1],
    ['{"a":"b\\\\","c":":"}', 2],
  ])('%s has %i', (text, expected) => {
    expect(countMembers(text)).toBe(expected);
  });
});

describe('each member once', () => {
  const single = (text: string) => singleMembers(asJsonText(text), JSON.parse(text));

  it.each([
    ['{"a":1.0,"a":2.0}', '{"a":2.0}'],
    [' {"b":1,"a":[{"c":1,"c":[]},"x"],"b":3.10} ', '{"b":3.10,"a":[{"c":[]},"x"]}'],
    ['[{"a":1,"a":2},[{"b":1}],"]"]', '[{"a":2},[{"b":1}],"]"]'],
    ['{"a":{"b":1,"b":2}, "c":{} }', '{"a":{"b":2},"c":{}}'],
    ['{"q\\"":1,"q\\"":"{"}', '{"q\\"":"{"}'],
    ['{"a" :1,"a"\n:2}', '{"a":2}'],
    ['{"a":"b:c","a":"d:e"}', '{"a":"d:e"}'],
  ])('%s becomes %s', (text, expected) => {
    expect(single(text)).toBe(expected);
  });

  it.each(['{ "a" : 1.0, "b":{"a":[ null , {"c":1} ]} }', '[1, {"a":"b:"}]', '"a"', ' null ', '7.0'])(
    '%j stays as it is',
    (text) => {
      expect(single(text)).toBe(text);
    },
  );
});
