// Short texts of tables that no endpoint has yet: keys of two columns, words of any number, quotes.
import Database from 'better-sqlite3';
import { expect, it, test } from 'vitest';
import type { ShortText } from '../../src/contract/mapping.ts';
import { lengthener, shortener, wholeText } from '../../src/mirror/rules/short-text.ts';
import type { Table } from '../../src/mirror/rules/tables.ts';

const KEY = [
  { name: 'part', type: 'text' },
  { name: 'day', type: 'text' },
] as const;
const tableWith = (shortText: ShortText) => ({ shortText, key: KEY }) as unknown as Table;

/** What a file has of a text, and what each way of making it whole gives. */
function kept(shortText: ShortText, key: readonly [string, string], text: string) {
  const table = tableWith(shortText);
  const stored = shortener(table)(key, text);
  const db = new Database(':memory:');
  db.exec('create table t (part text, day text, text text)');
  db.prepare('insert into t values (?, ?, ?)').run(...key, stored);
  const [read, joined] = [
    `select ${wholeText(table)} from t`,
    `select ${wholeText(table, 'a')} from t as a, (select '' as text, '' as part, '' as day) as b`,
  ].map((statement) => db.prepare<[], string>(statement).pluck().get());
  db.close();
  return { stored, whole: lengthener(table)(key, stored), read, joined };
}

const DAY: ShortText = { key: 'day', head: ['<', '>'], pieces: [] };

test.each<[name: string, spelled: ShortText, text: string, stored: string]>([
  ['the key that is named, not the first one', DAY, '<d1>rest', '\u0001rest'],
  ['another key in its place', DAY, '<p1>rest', '<p1>rest'],
  ['the beginning alone', DAY, '<d1>', '\u0001'],
  ['words that name no key', { ...DAY, head: ['<day>'] }, '<day>rest', '\u0001rest'],
  ['words that name it twice', { ...DAY, head: ['<', '-', '>'] }, '<d1-d1>rest', '\u0001rest'],
  ['words that begin or end with it', { ...DAY, pieces: [['', '.']] }, '<d1>ad1.b', '\u0002a\u0003b'],
  ['a piece that ends the text', { ...DAY, pieces: [['end']] }, '<d1>at the end', '\u0002at the \u0003'],
  ['a piece that follows at once', { ...DAY, pieces: [['a']] }, '<d1>ab', '\u0002\u0003b'],
  ['a text that is the first piece alone', { ...DAY, head: [''], pieces: [['a']] }, 'ab', '\u0002\u0003b'],
  ['words that are nothing', { ...DAY, head: [''] }, 'rest', '\u0001rest'],
  ['a quote', { ...DAY, head: ["'", "''"], pieces: [["it's"]] }, "'d1''and it's", '\u0002and \u0003'],
  ['a piece for a second time', { ...DAY, pieces: [['a']] }, '<d1>xaxa', '\u0002x\u0003xa'],
  ['pieces in another order', { ...DAY, pieces: [['a'], ['b']] }, '<d1>-b-a-', '\u0002-b-\u0003-'],
  [
    'six pieces',
    { ...DAY, pieces: ['a', 'b', 'c', 'd', 'e', 'f'].map((word) => [word]) },
    '<d1>.a.b.c.d.e.f.',
    '\u0002.\u0003.\u0004.\u0005.\u0006.\u0007.\u0008.',
  ],
  ['a text with a code', DAY, '<d1>\u0003', '<d1>\u0003'],
  ['a text that begins with a code behind the marks', DAY, '\u0003', '\u0003'],
])('%s', (_, spelled, text, stored) => {
  expect(kept(spelled, ['p1', 'd1'], text)).toEqual({ stored, whole: text, read: text, joined: text });
});

it('a key that looks like words of SQL or of a text is taken as it is', () => {
  for (const day of ["'", "' || '", '>', '<', '\u0003', '"']) {
    const text = `<${day}>x`;
    expect(kept(DAY, ['p1', day], text)).toMatchObject({ whole: text, read: text, joined: text });
  }
});

it('seven pieces are refused: the seventh would be a tab', () => {
  const pieces = Array.from({ length: 7 }, (_, i) => [String(i)]);
  const refusal = 'at most 6 parts of a text can be left out';
  for (const of of [shortener, lengthener]) expect(() => of(tableWith({ ...DAY, pieces }))).toThrow(refusal);
});
