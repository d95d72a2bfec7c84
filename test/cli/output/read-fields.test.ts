import { expect, it } from 'vitest';
import { csvLine, grownSheet } from '../../../src/cli/print/csv.ts';
import { fieldsIn, fieldsReader } from '../../../src/cli/print/rows.ts';
import { madeRows } from '../../../src/contract/json/body.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { memberSpans } from '../../../src/contract/json/scan.ts';
import fc from '../../support/properties.ts';

/** The fields of each row read by itself. */
function readAlone(row: string) {
  return [...new Map(memberSpans(row).map(({ name, start, end }) => [name, row.slice(start, end)]))];
}

function readInTurn(rows: readonly string[]) {
  const read = fieldsReader();
  return rows.map((row) => {
    const fields = read(row);
    return [...fields.keys()].map((name) => [name, fields.get(name)]);
  });
}

it('reads rows in turn as it reads each by itself', () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  const row = fc.dictionary(fc.constantFrom('a', 'b', 'a"b', 'ü', '{'), value, { maxKeys: 4 });
  const spelled = fc
    .tuple(row, fc.constantFrom(0, 1))
    .map(([members, blanks]) => JSON.stringify(members, null, blanks));
  fc.assert(
    fc.property(fc.array(spelled, { maxLength: 6 }), (rows) => {
      expect(readInTurn(rows)).toEqual(rows.map(readAlone));
    }),
  );
});

it('takes no row for one of the shape before that only begins or ends like it', () => {
  const rows = [
    '{"a":1,"b":"x"}',
    '{"a":1,"b":"x","c":2}',
    '{"a":1}',
    '{"a":1,"b":"x"} ',
    '{"a":1,"b":"x\\"}"}',
    '{"a":1,"a":2,"b":3}',
    '{"a":1,"b":2}',
    '{}',
    '{"b":1,"a":2}',
  ];
  expect(readInTurn(rows)).toEqual(rows.map(readAlone));
});

it('makes the sheet of rows that are not put together as of their texts', () => {
  const [ab, ba, abc] = [
    ['a', 'b'],
    ['b', 'a'],
    ['a', 'b', 'c'],
  ];
  const made = (names: readonly string[] | undefined, ...values: string[]) => ({
    names: names ?? [],
    values: values.map(asJsonText),
  });
  const all = [
    made(ab, '1.50', '"x, y"'),
    made(ab, '-2', 'null'),
    asJsonText('{"a":1e5,"b":"=1"}'),
    made(ba, '{"d":7}', '1791981000'),
    made(abc, '3', '{"d":8}', '"2026-11-20"'),
    made(ab, '4', 'true'),
  ];
  const kinds = { times: new Set(['a']) };
  const sheet = (rows: ReturnType<typeof madeRows>) =>
    [...grownSheet('csv', { rows: fieldsIn(rows), header: true, kinds }, (names) => [...names, 'b.d'])].join('');
  const rows = madeRows(all.length, (place) => all[place] ?? asJsonText('{}'));
  const texts = [...rows];
  expect(texts[3]).toBe('{"b":{"d":7},"a":1791981000}');
  const lines = [
    'a,b,c,b.d',
    '1.50,"x, y",,',
    '1969-12-31T23:59:58Z,,,',
    "1e5,'=1,,",
    '2026-10-14T12:30:00Z,"{""d"":7}",,7',
    '1970-01-01T00:00:03Z,"{""d"":8}",2026-11-20,8',
    '1970-01-01T00:00:04Z,true,,',
  ];
  expect(sheet(rows)).toBe(`${lines.join('\n')}\n`);
  expect(sheet(texts)).toBe(sheet(rows));
});

it('leaves decimals as they are, and nothing that only begins like one', () => {
  const cells = ['1', '-1', '1.5', '-1.50', '1.', '-1.', '1e5', '-1e-5', '', '1.2.3', '2026-11-20'];
  expect(csvLine(cells)).toBe(`${cells.join(',')}\n`);
  expect(csvLine(['-', '-.5x', '-1.2.3', '--1', '-1-2', '1,5', '1;5', '+1x', '٣'])).toBe(
    `'-,'-.5x,'-1.2.3,'--1,'-1-2,"1,5","1;5",'+1x,٣\n`,
  );
});
