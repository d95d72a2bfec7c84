import { expect, it } from 'vitest';
import { fieldsReader } from '../../../src/cli/output/sheets/read-fields.ts';
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
