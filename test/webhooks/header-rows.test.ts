import { expect, it } from 'vitest';
import { readHeaders } from '../../src/webhooks/receive/saved.ts';

const PAIRS = [
  ['X-SVC-Event', 'a "b", c'],
  ['X-SVC-Timestamp', '1791981003'],
];

it.each([
  ['header lines', 'X-SVC-Event: a "b", c\r\nX-SVC-Timestamp: 1791981003\r\n'],
  ['a JSON object', '{"X-SVC-Event":"a \\"b\\", c","X-SVC-Timestamp":1791981003}'],
  [
    'rows in JSON',
    '{"data":[{"header":"X-SVC-Event","value":"a \\"b\\", c"},{"header":"X-SVC-Timestamp","value":"1791981003"}]}',
  ],
  [
    'rows in NDJSON',
    '{"header":"X-SVC-Event","value":"a \\"b\\", c"}\n{"header":"X-SVC-Timestamp","value":"1791981003"}\n',
  ],
  ['rows in CSV', 'header,value\nX-SVC-Event,"a ""b"", c"\nX-SVC-Timestamp,1791981003\n'],
  ['rows in TSV', 'header\tvalue\nX-SVC-Event\ta "b", c\nX-SVC-Timestamp\t1791981003\n'],
])('headers are read from %s', (_, text) => {
  expect(readHeaders(text, 'headers.txt')).toEqual(PAIRS);
});

it('an object that only looks like rows is one of names and values', () => {
  expect(readHeaders('{"data":["a","b"],"X-SVC-Event":"c"}', 'headers.txt')).toEqual([
    ['data', 'a'],
    ['data', 'b'],
    ['X-SVC-Event', 'c'],
  ]);
});

it('lines of another table are no headers', () => {
  expect(() => readHeaders('name\tvalue\nX-SVC-Event\ta\n', 'headers.txt')).toThrow(
    'headers.txt has a line that is no header: name\tvalue',
  );
});
