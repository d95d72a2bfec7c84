import { describe, expect, it } from 'vitest';
import {
  addMember,
  cutBody,
  document,
  listAt,
  mapBody,
  patchRow,
  record,
  spliceBody,
  stream,
} from '../../../src/contract/json/body.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';

const refusal = (step: () => unknown): string => {
  try {
    step();
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
  return 'none';
};

describe('a body of each shape', () => {
  it('is one row where it is a record, spelled as it came, mark and all', () => {
    const body = ' {"id":"r1", "value":3.10 } ';
    expect(cutBody(record, body)).toEqual({
      envelope: {},
      envelopeText: '{}',
      rows: [{ name: '', text: body, value: { id: 'r1', value: 3.1 } }],
      isPartial: false,
    });
  });

  it('has no rows where it is a document', () => {
    expect(cutBody(document, '{"a":1.0,"b":{"c":[2]}}')).toEqual({
      envelope: { a: 1, b: { c: [2] } },
      envelopeText: '{"a":1.0,"b":{"c":[2]}}',
      rows: [],
      isPartial: false,
    });
  });

  it('is none at all where it is a stream', () => {
    expect(refusal(() => cutBody(stream, '{"a":1}'))).toBe('A stream has no body');
  });

  it('says of which mirror it is a part; what it says is no row and no member', () => {
    const mark = '{"complete":false,"missing":[{"from":"2026-01-01"}]}';
    const value = { complete: false, missing: [{ from: '2026-01-01' }] };
    expect(cutBody(listAt(), `{"data":[{"val":1.0}],"mirror":${mark},"currency":"USD"}`)).toEqual({
      envelope: { currency: 'USD' },
      envelopeText: '{"currency":"USD"}',
      rows: [{ name: '', text: '{"val":1.0}', value: { val: 1 } }],
      isPartial: true,
      mark: value,
    });
    const map = cutBody(mapBody('slug', [], 'catalogue'), `{"mirror":${mark},"gdp":{"name":"GDP"}}`);
    expect(map.rows.map(({ name }) => name)).toEqual(['gdp']);
    expect([map.isPartial, map.mark]).toEqual([true, value]);
  });

  it('takes of a member in a map that is no object no row', () => {
    const cut = cutBody(
      mapBody('slug', ['coverage'], 'catalogue'),
      '{"gdp":{"name":"G"},"coverage":{"x":2},"count":3}',
    );
    expect(cut).toEqual({
      envelope: { coverage: { x: 2 }, count: 3 },
      envelopeText: '{"coverage":{"x":2},"count":3}',
      rows: [{ name: 'gdp', text: '{"name":"G"}', value: { name: 'G' } }],
      isPartial: false,
    });
  });

  it('may have the name of the wrapper as one row among others, and may be empty', () => {
    const shape = mapBody('slug', [], 'catalogue');
    expect(cutBody(shape, '{"catalogue":{"name":"C"},"gdp":{"name":"G"}}').rows.map(({ name }) => name)).toEqual([
      'catalogue',
      'gdp',
    ]);
    expect(cutBody(shape, '{}')).toEqual({ envelope: {}, envelopeText: '{}', rows: [], isPartial: false });
  });

  it.each([
    ['an array', '[{"data":[]}]', 'Expected an object'],
    ['another member', '{"rows":[]}', "Expected a member 'data'"],
    ['a list that is a number', '{"data":7}', "Expected 'data' to be an array"],
    ['a list that is an object', '{"data":{"gdp":{}}}', "Expected 'data' to be an array"],
    ['rows that are no objects', '{"data":[{"a":1},[2]]}', 'Expected every row to be an object'],
  ])('that is %s is refused as what it is', (_, body, message) => {
    expect(refusal(() => cutBody(listAt(), body))).toBe(message);
  });

  it('may begin with blanks', () => {
    expect(cutBody(listAt(), '\r\n\t {"data":[]} ').rows).toEqual([]);
  });
});

describe('the rows of a list whose body was parsed already', () => {
  const body = '{"data":[{"val":1.0},{"val":2.0}]}';

  it('take their values from there, and their texts from the body', () => {
    const parsed = { data: [{ val: 10 }, { val: 20 }] };
    expect(cutBody(listAt(), body, parsed).rows).toEqual([
      { name: '', text: '{"val":1.0}', value: { val: 10 } },
      { name: '', text: '{"val":2.0}', value: { val: 20 } },
    ]);
  });

  it.each([[{ data: [{ val: 10 }] }], [{ data: 'x' }], [{}]])('are read anew where %j does not fit', (parsed) => {
    expect(cutBody(listAt(), body, parsed).rows.map(({ value }) => value)).toEqual([{ val: 1 }, { val: 2 }]);
  });
});

describe('a list that may come as a map', () => {
  const shape = listAt('data', { keyName: 'slug', besides: ['coverage'] });
  const row = (text: string, value: object) => ({ name: '', text, value });

  it('is cut like any list where it is one', () => {
    expect(cutBody(shape, '{"data":[{"slug":"gdp"}],"n":1}')).toEqual({
      envelope: { n: 1 },
      envelopeText: '{"n":1}',
      rows: [row('{"slug":"gdp"}', { slug: 'gdp' })],
      isPartial: false,
    });
  });

  it('gives each row its name where it has none, and leaves its spelling alone', () => {
    const body =
      '{"data":{"gdp":{ "val":3.0 },"cpi":{"slug":"own","val":1},"none":{},"count":2,"coverage":{"a":1}},"as_of":"x"}';
    expect(cutBody(shape, body)).toEqual({
      envelope: { as_of: 'x' },
      envelopeText: '{"as_of":"x"}',
      rows: [
        row('{"slug":"gdp","val":3.0}', { slug: 'gdp', val: 3 }),
        row('{"slug":"own","val":1}', { slug: 'own', val: 1 }),
        row('{"slug":"none"}', { slug: 'none' }),
      ],
      isPartial: false,
    });
  });

  it('may be the whole body; what is no row stays beside them', () => {
    expect(cutBody(shape, '{"gdp":{"val":3.0},"count":1,"coverage":{"a":1}}')).toEqual({
      envelope: { count: 1, coverage: { a: 1 } },
      envelopeText: '{"count":1,"coverage":{"a":1}}',
      rows: [row('{"slug":"gdp","val":3.0}', { slug: 'gdp', val: 3 })],
      isPartial: false,
    });
  });

  it('may be empty under its name, and not without it', () => {
    expect(cutBody(shape, '{"data":{},"n":1}')).toEqual({
      envelope: { n: 1 },
      envelopeText: '{"n":1}',
      rows: [],
      isPartial: false,
    });
    expect(refusal(() => cutBody(shape, '{"n":1,"coverage":{}}'))).toBe("Expected a member 'data'");
    expect(refusal(() => cutBody(shape, '{"data":7}'))).toBe("Expected 'data' to be an array");
  });

  it('of a map that stands twice takes the last one', () => {
    expect(cutBody(shape, '{"data":{"a":{}},"x":{"b":1},"data":{"c":{}}}')).toEqual({
      envelope: { x: { b: 1 } },
      envelopeText: '{"x":{"b":1}}',
      rows: [row('{"slug":"c"}', { slug: 'c' })],
      isPartial: false,
    });
  });
});

describe('a body that is put together', () => {
  const texts = ['{"val":3.0}', '{"val":1.10}'].map(asJsonText);

  it('is the row where it is a record, and the envelope where there are no rows', () => {
    expect(spliceBody(record, asJsonText('{}'), texts)).toBe('{"val":3.0}');
    expect(spliceBody(record, asJsonText('{"a":1}'), [])).toBe('{"a":1}');
    expect(spliceBody(document, asJsonText('{"a":1}'), texts)).toBe('{"a":1}');
    expect(spliceBody(stream, asJsonText('{"a":1}'), texts)).toBe('{"a":1}');
  });

  it('names each row of a map, and by nothing where no name is given', () => {
    const shape = mapBody('slug', [], 'catalogue');
    expect(spliceBody(shape, asJsonText('{"n":1}'), texts, ['gdp'])).toBe('{"gdp":{"val":3.0},"":{"val":1.10},"n":1}');
    expect(spliceBody(shape, asJsonText('{"n":1}'), texts)).toBe('{"":{"val":3.0},"":{"val":1.10},"n":1}');
  });

  it('has one more member at its end, whatever blanks stand before it', () => {
    const value = asJsonText('3.0');
    expect(addMember(asJsonText('{"a":1.0}'), 'b', value)).toBe('{"a":1.0,"b":3.0}');
    expect(addMember(asJsonText('{}'), 'b', value)).toBe('{"b":3.0}');
    expect(addMember(asJsonText('{ } '), 'b', value)).toBe('{ "b":3.0}');
    expect(addMember(asJsonText('{"a":{"c":{}}}'), 'q"', value)).toBe('{"a":{"c":{}},"q\\"":3.0}');
  });

  it('leaves out what a patch would neither replace nor add', () => {
    expect(patchRow(asJsonText('{"a":1.0}'), { b: undefined })).toBe('{"a":1.0}');
    expect(patchRow(asJsonText('{}'), {})).toBe('{}');
  });
});
