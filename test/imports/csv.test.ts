import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/imports/read/csv.ts';

type Shape = Parameters<typeof readCsv>[1];

/** Records of a text that comes in pieces of so many bytes. */
function recordsOf(text: string, separator: Shape['separator'], pieceBytes: number) {
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, place) =>
    bytes.subarray(place * pieceBytes, (place + 1) * pieceBytes),
  );
  return [...readCsv(pieces, { separator })];
}

/** What the library makes of the whole text. */
function expectedOf(text: string, delimiter: string) {
  const records = parse(text.replace(/^\uFEFF/, ''), {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    trim: true,
    info: true,
  }) as unknown as { record: string[]; info: { lines: number } }[]; // its types leave `info` out
  return records
    .filter(({ record }) => record.length > 1 || record[0] !== '')
    .map(({ record: cells, info }) => ({ cells, line: info.lines }));
}

const TEXTS: readonly (readonly [what: string, text: string, separator: Shape['separator']])[] = [
  ['plain lines', 'Day,Val\n2024-01-31,3.10\n2024-02-29,\n', ','],
  ['lines without an end', 'Day,Val\n2024-01-31,3.10', ','],
  ['lines of Windows', 'Day;Val\r\n2024-01-31;3,10\r\n\r\n2024-02-29;4\r\n', ';'],
  ['lines of an old Macintosh', 'Day,Val\r2024-01-31,3\r2024-02-29,4\r', ','],
  ['lines of several kinds', 'Day,Val\n2024-01-31,3\r\n2024-02-29,4\r2024-03-31,5\n', ','],
  ['blanks around cells', ' Day , Val \n\t2024-01-31\t,\f3.10 \n   \n, ,\n', ','],
  ['a blank of another kind', 'Day,Val\n2024-01-31,\u00A03\u00A0\n', ','],
  ['tabs', 'id \tyear\tval\nCUUR\t2024\t  3.1\n\t\n', '\t'],
  ['a quote in the first line', '"Day","Val"\n2024-01-31,3\n', ','],
  ['a quote far below', 'Day,Val\n2024-01-31,3\n\n2024-02-29,"4, or 5"\n"a\nb",6\n2024-03-31,7\n', ','],
  ['characters of several bytes', 'Jour;Valeur\nfévrier;3 €\nmärz;4 €\n', ';'],
  ['a mark of byte order', '\uFEFFDay,Val\n2024-01-31,3\n', ','],
  ['nothing', '', ','],
];

describe('readCsv', () => {
  it.each(TEXTS)('reads %s as the library does, however the text is cut', (_, text, separator) => {
    const expected = expectedOf(text, separator);
    for (const bytes of [1, 2, 3, 7, 1000]) expect(recordsOf(text, separator, bytes)).toEqual(expected);
  });

  it.each([
    ['Day,Val\n2024-01-31,3\n2024-02-29,"4\n', 'Line 3 of the file cannot be imported: a quoted cell has no end'],
    ['Day,Val\n2024-01-31,3\n2024-02-29,4"5"\n', 'Line 3 of the file cannot be imported: a quote stands inside'],
    ['Day,Val\n2024-01-31,3\n2024-02-29,"4"5\n', 'Line 3 of the file cannot be imported: something stands behind'],
  ])('names the line of a fault: %j', (text, message) => {
    expect(() => recordsOf(text, ',', 9)).toThrow(message);
  });

  it('closes its source when nobody reads on', () => {
    let isClosed = false;
    function* pieces() {
      try {
        yield new TextEncoder().encode('Day,Val\n2024-01-31,3\n');
        yield new TextEncoder().encode('2024-02-29,4\n');
      } finally {
        isClosed = true;
      }
    }
    for (const { line } of readCsv(pieces(), { separator: ',' })) if (line === 1) break;
    expect(isClosed).toBe(true);
  });
});
