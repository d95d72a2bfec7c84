import { strToU8, Zip, ZipDeflate } from 'fflate';
import { MacroError } from '../../errors.ts';
import {
  dayOf,
  type FileCell,
  type FileTableWriter,
  millisecondsOf,
  type TableFile,
  type TypedColumn,
} from './file.ts';
import { cleanText } from './text.ts';

/** Rows that a sheet can hold, the header among them. */
const MAX_SHEET_ROWS = 1_048_576;
/** Characters that a cell can hold. */
const MAX_CELL_CHARACTERS = 32_767;
/** Day 0 of a sheet is 1899-12-30; before March 1900 its calendar has a day that never was. */
const DAY_ZERO = 25_569;
const FIRST_DAY = 61;

/** Places in the list of cell styles. */
const STYLE = { plain: 0, date: 1, instant: 2, text: 3, head: 4 } as const;

/** The fixed parts of a workbook with two sheets: ECMA-376, part 1, SpreadsheetML. */
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES = `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`;

const ROOT_RELATIONS = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const WORKBOOK = `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="rows" sheetId="1" r:id="rId1"/><sheet name="provenance" sheetId="2" r:id="rId2"/></sheets></workbook>`;

const WORKBOOK_RELATIONS = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`;

/** Cell styles by place: plain, date, instant, text (`quotePrefix`: it stays text when it is edited), head (the same, bold). */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" quotePrefix="1"/></cellXfs></styleSheet>`;

/** Writes a workbook of rows and their origin; cells of text stay text. @throws MacroError of kind `usage`. */
export function xlsxWriter({ columns, facts, now, write }: TableFile): FileTableWriter {
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    write(chunk);
  });
  const open = (name: string): ZipDeflate => {
    const part = new ZipDeflate(name, { level: 6 });
    part.mtime = now;
    zip.add(part);
    return part;
  };
  const whole = (name: string, text: string) => open(name).push(strToU8(text), true);
  whole('[Content_Types].xml', CONTENT_TYPES);
  whole('_rels/.rels', ROOT_RELATIONS);
  whole('xl/workbook.xml', WORKBOOK);
  whole('xl/_rels/workbook.xml.rels', WORKBOOK_RELATIONS);
  whole('xl/styles.xml', STYLES);
  const about = Object.entries(facts).map(([name, value], i) => rowOf(i + 1, [textCell(name), textCell(value)]));
  whole('xl/worksheets/sheet2.xml', `${SHEET_START}${about.join('')}${SHEET_END}`);
  const sheet = open('xl/worksheets/sheet1.xml');
  const head = rowOf(
    1,
    columns.map(({ name }) => textCell(name, STYLE.head)),
  );
  sheet.push(strToU8(`${SHEET_START}${head}`));
  let count = 1;
  return {
    write(rows) {
      if (count + rows.length > MAX_SHEET_ROWS)
        throw new MacroError('usage', `A sheet has room for ${MAX_SHEET_ROWS - 1} rows, and there are more.`, {
          code: 'too_many_rows',
          hint: 'Write a .parquet or .csv file, or choose fewer rows.',
        });
      const cellsOf = (row: readonly FileCell[]) => columns.map(({ type }, i) => cellOf(type, row[i] ?? null));
      const lines = rows.map((row, i) => rowOf(count + i + 1, cellsOf(row)));
      count += rows.length;
      if (lines.length > 0) sheet.push(strToU8(lines.join('')));
    },
    end() {
      sheet.push(strToU8(SHEET_END), true);
      zip.end();
    },
  };
}

const SHEET_START = `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`;
const SHEET_END = '</sheetData></worksheet>';

/** A cell without its place: attributes and content; undefined for an empty one. */
interface CellXml {
  readonly attributes: string;
  readonly content: string;
}

function cellOf(type: TypedColumn['type'], cell: FileCell): CellXml | undefined {
  if (cell === null) return undefined;
  if (type === 'date') return momentCell(dayOf(cell), cell, STYLE.date);
  if (type === 'instant') return momentCell(inDays(millisecondsOf(cell)), cell, STYLE.instant);
  if (type === 'seconds') return momentCell(inDays(Number(cell) * 1000), cell, STYLE.instant);
  if (type === 'flag' && typeof cell !== 'string')
    return { attributes: 't="b"', content: `<v>${Number(cell) === 0 ? 0 : 1}</v>` };
  // A sheet keeps 15 digits: a longer whole number is text, or it would become another one.
  if (typeof cell === 'string' || !isExact(cell)) return textCell(String(cell));
  return { attributes: '', content: `<v>${cell}</v>` };
}

function isExact(cell: number | bigint): boolean {
  if (typeof cell === 'number' && !Number.isInteger(cell)) return Number.isFinite(cell);
  return Math.abs(Number(cell)) < 1e15;
}

function inDays(ms: number | null): number | null {
  return ms === null ? null : ms / 86_400_000;
}

function momentCell(day: number | null, cell: FileCell, style: number): CellXml {
  const serial = day === null ? 0 : day + DAY_ZERO;
  return serial < FIRST_DAY ? textCell(String(cell)) : { attributes: `s="${style}"`, content: `<v>${serial}</v>` };
}

function textCell(text: string, style: number = STYLE.text): CellXml {
  const clean = cleanText(text);
  const kept =
    clean.length > MAX_CELL_CHARACTERS ? `${clean.slice(0, MAX_CELL_CHARACTERS - 1).toWellFormed()}…` : clean;
  const content = `<is><t xml:space="preserve">${escapeXml(kept)}</t></is>`;
  return { attributes: `s="${style}" t="inlineStr"`, content };
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\ufffe\uffff]/g, '');
}

function rowOf(number: number, cells: readonly (CellXml | undefined)[]): string {
  const placed = cells.map((cell, i) =>
    cell ? `<c r="${columnLetters(i)}${number}" ${cell.attributes}>${cell.content}</c>` : '',
  );
  return `<row r="${number}">${placed.join('')}</row>`;
}

/** A, B, ... Z, AA, AB and so on. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}
