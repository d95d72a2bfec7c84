import { describe, expect, it } from 'vitest';
import { cutBody, document, listAt, mapBody, patchRow, spliceBody } from '../../src/contract/json/body.ts';
import { asJsonText } from '../../src/contract/json/json.ts';

describe('cutBody', () => {
  it('gives the rows of a list their own text and keeps every other member', () => {
    const body = '{"currency":"USD","data":[{"val":3.0,"new_field":[1]},{"val":1250000.0}],"x":null}';
    expect(cutBody(listAt(), body)).toEqual({
      envelope: { currency: 'USD', x: null },
      envelopeText: '{"currency":"USD","x":null}',
      rows: [
        { name: '', text: '{"val":3.0,"new_field":[1]}', value: { val: 3, new_field: [1] } },
        { name: '', text: '{"val":1250000.0}', value: { val: 1250000 } },
      ],
      isPartial: false,
    });
  });

  it('takes the members of a map as rows, bare or wrapped, and leaves the named ones beside them', () => {
    const shape = mapBody('slug', ['coverage'], 'catalogue');
    const bare = '{"gdp":{"name":"GDP"},"coverage":[{"indicator":"gdp"}]}';
    const rows = [{ name: 'gdp', text: '{"name":"GDP"}', value: { name: 'GDP' } }];
    const envelopeText = '{"coverage":[{"indicator":"gdp"}]}';
    expect(cutBody(shape, bare)).toEqual({ envelope: JSON.parse(envelopeText), envelopeText, rows, isPartial: false });
    const wrapped = { envelope: {}, envelopeText: '{}', rows, isPartial: false };
    expect(cutBody(shape, '{"catalogue":{"gdp":{"name":"GDP"}}}')).toEqual(wrapped);
  });

  it('keeps the spelling of what stands beside the rows, and of a member that stands twice its last value', () => {
    const body = '{ "ns" : 1794823201000000001, "n":1, "data":[{"val":1}], "n" : 3.0, "deep":{"list":[ 2.50 ]} }';
    const { envelope, envelopeText } = cutBody(listAt(), body);
    expect(envelopeText).toBe('{"ns":1794823201000000001,"n":3.0,"deep":{"list":[ 2.50 ]}}');
    expect(envelope).toEqual(JSON.parse(envelopeText));
  });

  it('keeps a member called __proto__ as data', () => {
    const { envelope } = cutBody(document, '{"__proto__":{"polluted":true},"a":1}');
    expect(Object.keys(envelope)).toEqual(['__proto__', 'a']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    ['no list', '{"rows":[]}'],
    ['a list that is none', '{"data":{}}'],
    ['rows that are no objects', '{"data":[1]}'],
    ['an array', '[{"data":[]}]'],
    ['a page of another kind', '<html></html>'],
  ])('refuses a body with %s', (_, body) => {
    expect(() => cutBody(listAt(), body)).toThrow(SyntaxError);
  });
});

describe('a member that stands twice', () => {
  it('gives its last value as the rows, and the first one is kept nowhere', () => {
    const body = '{"data":[{"val":9.9}],"currency":"USD","data":[{"val":3.0}]}';
    const rows = [{ name: '', text: '{"val":3.0}', value: { val: 3 } }];
    expect(cutBody(listAt(), body)).toEqual({
      envelope: { currency: 'USD' },
      envelopeText: '{"currency":"USD"}',
      isPartial: false,
      rows,
    });
  });

  it('is replaced or removed altogether, so that no reader finds the old value', () => {
    const row = asJsonText('{"val":1,"revisions":[9.9],"val":9.9,"revisions":[1,9.9]}');
    expect(patchRow(row, { val: asJsonText('3.0'), revisions: undefined })).toBe('{"val":3.0}');
  });
});

describe('spliceBody', () => {
  it('puts row texts back untouched', () => {
    const rows = [asJsonText('{"val":3.0}'), asJsonText('{"val":1.10}')];
    expect(spliceBody(listAt(), asJsonText('{"currency":"USD"}'), rows)).toBe(
      '{"currency":"USD","data":[{"val":3.0},{"val":1.10}]}',
    );
    expect(spliceBody(listAt('sources'), asJsonText('{}'), [])).toBe('{"sources":[]}');
  });

  it('names the rows of a map', () => {
    const shape = mapBody('slug', [], 'catalogue');
    expect(spliceBody(shape, asJsonText('{}'), [asJsonText('{"a":1}')], ['gdp'])).toBe('{"gdp":{"a":1}}');
    expect(spliceBody(shape, asJsonText('{"coverage":[]}'), [asJsonText('{"a":1}')], ['gdp'])).toBe(
      '{"gdp":{"a":1},"coverage":[]}',
    );
    expect(spliceBody(shape, asJsonText('{"coverage":[]}'), [])).toBe('{"coverage":[]}');
  });
});

describe('patchRow', () => {
  it('replaces, adds and removes members and leaves every other spelling alone', () => {
    const row = asJsonText('{"date":"2026-01-31","val":3.0,"change":0.10,"note":"a\\"b"}');
    const patched = patchRow(row, { change: asJsonText('0.5'), note: undefined, sma_20: asJsonText('null') });
    expect(patched).toBe('{"date":"2026-01-31","val":3.0,"change":0.5,"sma_20":null}');
  });
});
