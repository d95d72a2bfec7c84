import { strToU8, Zip, ZipDeflate } from 'fflate';
import { MacroError } from '../../../errors.ts';
import { cleanText } from '../clean.ts';
import {
  dayOf,
  type FileCell,
  type FileTableWriter,
  millisecondsOf,
  type TableFile,
  type TypedColumn,
} from './table.ts';
import { CONTENT_TYPES, ROOT_RELATIONS, STYLES, WORKBOOK, WORKBOOK_RELATIONS } from './xlsx-parts.ts';

/** Rows that a sheet can hold, the header among them. */
const MAX_SHEET_ROWS = 1_048_576;
/** Characters that a cell can hold. */
const MAX_CELL_CHARACTERS = 32_767;
/** Day 0 of a sheet is 1899-12-30; before March 1900 its calendar has a day that never was. */
const DAY_ZERO = 25_569;
const FIRST_DAY = 61;

/** Places in the list of cell styles. */
const STYLE = { plain: 0, date: 1, instant: 2, text: 3, head: 4 } as const;

/**
 * Writes a workbook of two sheets, the rows and where they come from. The sheet of rows is compressed while it is written.
 * Text stands in cells of text, marked so that it stays text when it is edited: no cell is a formula.
 * @throws MacroError of kind `usage`.
 */
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
      if (count + rows.length > MAX_SHEET_ROWS) throw tooMany();
      const lines = rows.map((row, i) => rowOf(count + i + 1, columns.map(cellsOf(row))));
      count += rows.length;
      if (lines.length > 0) sheet.push(strToU8(lines.join('')));
    },
    end() {
      sheet.push(strToU8(SHEET_END), true);
      zip.end();
    },
  };
}

const SHEET_START =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>';
const SHEET_END = '</sheetData></worksheet>';

/** A cell without its place: attributes and content; undefined for an empty one. */
interface CellXml {
  readonly attributes: string;
  readonly content: string;
}

function cellsOf(row: readonly FileCell[]): (column: TypedColumn, i: number) => CellXml | undefined {
  return ({ type }, i) => cellOf(type, row[i] ?? null);
}

function cellOf(type: TypedColumn['type'], cell: FileCell): CellXml | undefined {
  if (cell === null) return undefined;
  if (type === 'date') return momentCell(dayOf(cell), cell, STYLE.date);
  if (type === 'instant') return momentCell(inDays(millisecondsOf(cell)), cell, STYLE.instant);
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

function tooMany(): MacroError {
  return new MacroError('usage', `A sheet holds ${MAX_SHEET_ROWS - 1} rows, and there are more.`, {
    code: 'too_many_rows',
    hint: 'Write a .parquet or .csv file, or choose fewer rows.',
  });
}
