import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { SQLITE_VIEWS } from '../../../src/mirror/rules/views.ts';

const { exact, number, whole, flag, named, text } = SQLITE_VIEWS;

/** What an expression of a view reads from a document. */
function read(sql: string, document: string | null): unknown {
  const db = new Database(':memory:');
  try {
    return db.prepare<[string | null]>(`select ${sql} from (select ? as d)`).pluck().get(document);
  } finally {
    db.close();
  }
}

it('a member is read as it is spelled', () => {
  const spelled = [
    ['{"a":1.10}', '1.10'],
    ['{"a":-0.0}', '-0.0'],
    ['{"a":1E5}', '1E5'],
    ['{"a":12345678901234567890}', '12345678901234567890'],
    ['{"a":true}', 'true'],
    ['{"a":"x\\u0041\\n,\\"]"}', 'xA\n,"]'],
    ['{"a":""}', ''],
    ['{"a":"null"}', 'null'],
    ['{"a":null}', null],
    ['{}', null],
    ['{"a":[]}', '[]'],
    ['{"a":{"b":1.50,"c":["é😀",null]}}', '{"b":1.50,"c":["é😀",null]}'],
    [null, null],
  ] as const;
  for (const [document, value] of spelled)
    expect([document, read(exact('d', '$.a'), document)]).toEqual([document, value]);
  expect(read(exact('d', '$.a.b'), '{"a":{"b":1.50}}')).toBe('1.50');
});

it('a typed member is null where it has another type', () => {
  const path = '$.a';
  const typed = [number, whole, flag].map((of) => of('d', path));
  const all = (document: string | null) => typed.map((sql) => read(sql, document));
  expect(all('{"a":1.10}')).toEqual([1.1, null, null]);
  expect(all('{"a":3}')).toEqual([3, 3, null]);
  expect(all('{"a":10000000000000000000}')).toEqual([1e19, null, null]);
  expect(all('{"a":false}')).toEqual([null, null, 0]);
  for (const document of ['{"a":"1"}', '{"a":null}', '{"a":{"b":1}}', '{}', null])
    expect([document, all(document)]).toEqual([document, [null, null, null]]);
});

it('a name is that of an object, or the text instead of one', () => {
  const sources = ['{"a":{"name":"ECB"}}', '{"a":"ECB"}', '{"a":{}}', '{"a":null}', '{}', null];
  expect(sources.map((document) => read(named('d', '$.a'), document))).toEqual(['ECB', 'ECB', null, null, null, null]);
  expect(read(text('d', '$.a'), '{"a":"EUR"}')).toBe('EUR');
});
