import { expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { CALENDAR, edit, page, testMirror } from './support.ts';

/** Functions of SQLite 3.37 that the file names; a new one goes here when that version has it. */
const FUNCTIONS = [
  'abs',
  'char',
  'coalesce',
  'iif',
  'json_extract',
  'json_type',
  'json_valid',
  'length',
  'replace',
  'strftime',
  'substr',
  'typeof',
];

/** What stands before a bracket and is no function. */
const KEYWORDS = [
  'and',
  'as',
  'cast',
  'check',
  'else',
  'from',
  'in',
  'join',
  'key',
  'not',
  'or',
  'select',
  'then',
  'unique',
  'when',
  'where',
];

/** What came after 3.37 and looks like no function. */
const LATER =
  /->|\bis\s+(not\s+)?distinct\b|\b(right|full)\s+(outer\s+)?join\b|\d_\d|'(auto|subsec|subsecond|ceiling|floor)'/i;

it('the schema of a file, with every table and view, says nothing that SQLite 3.37 does not know', async () => {
  const { mirror, path } = await testMirror();
  for (const [endpoint, mapping] of Object.entries(MAPPINGS)) {
    const scope = Object.fromEntries(mapping.scope.map((name) => [name, 'x']));
    await mirror.commitPage(page([], { series: { ...CALENDAR, endpoint, scope } }));
  }
  edit(path, (db) => {
    const schema = db.prepare<[], [string, string]>('select name, sql from sqlite_schema where sql is not null').raw();
    const found = schema.all();
    expect(found.length).toBeGreaterThan(2 * Object.keys(MAPPINGS).length);
    for (const [name, text] of found) expect([name, ...newIn(text)]).toEqual([name]);
  });
});

it('what is newer is found', () => {
  expect(newIn(`create view v as select a ->> '$.b', unixepoch(a), format ('x', "a(b)") from t -- json(a)`)).toEqual([
    '->',
    'unixepoch',
    'format',
  ]);
});

function newIn(text: string): readonly string[] {
  const code = text.replace(/--.*$/gm, '');
  const later = LATER.exec(code)?.[0];
  const bare = code.replace(/'(?:[^']|'')*'/g, "''").replace(/"[^"]*"/g, 'x');
  // A table is named before the list of its columns.
  const calls = bare
    .replace(/\b(table|index|references|on|into|exists)\s+\w+\s*\(/gi, ' ')
    .matchAll(/\b([a-z_]\w*)\s*\(/gi);
  const names = [...calls].map(([, name = '']) => name.toLowerCase());
  const unknown = names.filter((name) => ![...FUNCTIONS, ...KEYWORDS].includes(name));
  return [...(later === undefined ? [] : [later]), ...new Set(unknown)];
}
