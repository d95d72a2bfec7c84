/** Workbooks that were made to fill memory: small as a file, and each within what an archive may unpack to. */
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { recogniseFormat } from '../../src/imports/formats.ts';
import { sheetRows, sheetsOf } from '../../src/imports/read/workbook.ts';
import { fileOf } from './read-format.ts';

const SHEET = 'xl/worksheets/sheet1.xml';

const INDEX = {
  'xl/workbook.xml': '<workbook><sheets><sheet name="Monthly Prices" r:id="a"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
};

function book(sheet: string | Uint8Array, more: Readonly<Record<string, string>> = {}): Uint8Array {
  const parts = { ...INDEX, [SHEET]: sheet, ...more };
  const bytesOf = (part: string | Uint8Array) => (typeof part === 'string' ? strToU8(part) : part);
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, bytesOf(part)])));
}

const rows = (text: string) => `<worksheet><sheetData>${text}</sheetData></worksheet>`;
const shared = (text: string) => ({ 'xl/sharedStrings.xml': `<sst>${text}</sst>` });

function refusalOf(bytes: Uint8Array): string {
  try {
    const count = [...sheetRows(bytes, sheetsOf(bytes).get('Monthly Prices') ?? '')].length;
    return `${count} rows`;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*cannot be imported: /, '') : 'no error';
  }
}

it.each([
  [
    'elements inside of each other',
    book('<a>'.repeat(1_000_000)),
    `its part ${SHEET} has more than 64 elements inside of each other, which no file of data has.`,
  ],
  [
    'attributes',
    book(`<worksheet ${Array.from({ length: 200_000 }, (_, i) => `a${i}=""`).join(' ')}/>`),
    `its part ${SHEET} has an element of more than 128 attributes, which no file of data has.`,
  ],
  [
    'the value of an attribute',
    book(`<worksheet a="${'x'.repeat(9_000_000)}"/>`),
    `its part ${SHEET} has a text of more than 1048576 bytes, which no file of data has.`,
  ],
  [
    'a comment',
    book(`<worksheet><!--${'x'.repeat(9_000_000)}--></worksheet>`),
    `its part ${SHEET} has a text of more than 1048576 bytes, which no file of data has.`,
  ],
  ['an entity', book('<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>'), `its part ${SHEET} is no XML.`],
  ['bytes that are no text', book(Uint8Array.of(0x3c, 0x61, 0xff)), `its part ${SHEET} is no XML.`],
  [
    'cells that are left out',
    book(rows('<row><c r="XFD1"><v>1</v></c></row>'.repeat(300))),
    'a sheet of it has more than 4000000 cells.',
  ],
  ['a column that no sheet has', book(rows('<row><c r="ZZZ1"><v>1</v></c></row>')), "'ZZZ1' is no cell of a workbook."],
  [
    'a cell',
    book(rows(`<row><c r="A1"><v>${'1'.repeat(40_000)}</v></c></row>`)),
    'a cell of it has more than 32767 characters.',
  ],
  [
    'shared texts',
    book(rows(''), shared('<si><t/></si>'.repeat(500_001))),
    'it has more than 500000 texts or 67108864 characters of them.',
  ],
  [
    'a shared text',
    book(rows(''), shared(`<si>${'<r><t>abcdefgh</t></r>'.repeat(5_000)}</si>`)),
    'a cell of it has more than 32767 characters.',
  ],
  [
    'a text that many cells share',
    book(
      rows('<row><c r="A1" t="s"><v>0</v></c></row>'.repeat(2_100)),
      shared(`<si><t>${'x'.repeat(32_000)}</t></si>`),
    ),
    'a sheet of it has more than 67108864 characters.',
  ],
  [
    'an error as long as a book',
    book(rows(`<row><c r="A1" t="e"><v>${'#'.repeat(30_000)}</v></c></row>`)),
    `it has the error ${'#'.repeat(60)}… in a cell.`,
  ],
])('a workbook with too much of %s is refused', (_, bytes, refusal) => {
  expect(refusalOf(bytes)).toBe(refusal);
});

it('and so is one that says at length which sheets it has', () => {
  const sheets = Array.from({ length: 50 }, (_, i) => `<sheet name="s${i}" r:id="a"/>`).join('');
  const many = book(rows(''), { 'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>` });
  expect(() => recogniseFormat(fileOf(many, 'a.xlsx'))).toThrow('s0, s1, s2, s3, s4, s5, s6, s7 and 42 more');
  const long = book(rows(''), { 'xl/workbook.xml': `<workbook>${' '.repeat(1_100_000)}</workbook>` });
  expect(() => recogniseFormat(fileOf(long, 'a.xlsx'))).toThrow(
    'xl/workbook.xml in the ZIP is larger than 1048576 bytes',
  );
});

it('while a sheet as wide and as deep as sheets are is read', () => {
  const rich =
    '<row r="3"><c r="A3" t="inlineStr"><is><r><rPr><b/></rPr><t>a</t></r><r><t>b</t></r></is></c><c r="XFD3"><v>1</v></c></row>';
  const [row] = [...sheetRows(book(rows(rich)), SHEET)];
  expect([row?.line, row?.cells.length, row?.cells[0], row?.cells[1], row?.cells.at(-1)]).toEqual([
    3,
    16_384,
    'ab',
    '',
    '1',
  ]);
});
