/** Sheets of a workbook (.xlsx), row by row while they are unpacked: numbers stay as the file spells them. */

import type { SaxesTagPlain } from 'saxes';
import { type PlacedCell, refuse, shortened } from './cells.ts';
import { holdsFile, unzipPieces } from './unzip.ts';
import { readXml } from './xml.ts';

export interface SheetRow {
  /** Number of the row, counted from 1. */
  readonly line: number;
  /** By column, from 0; an empty cell is '', and so is a cell that the file leaves out. */
  readonly cells: readonly string[];
}

/** Sheets of a workbook that an import of data may have, each with room to spare over the largest of a publisher. */
const MAX_COLUMNS = 16_384;
const MAX_CELLS = 4_000_000;
const MAX_SHARED_TEXTS = 500_000;
/** Characters of a cell, as Excel bounds them, and of all cells or shared texts together. */
const MAX_CELL_LENGTH = 32_767;
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;
/** The parts that list the sheets. */
const MAX_INDEX_BYTES = 1024 * 1024;

/** Names of the sheets, and where each stands in the ZIP. */
export function sheetsOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const { name, attributes } of tagsIn(bytes, 'xl/_rels/workbook.xml.rels'))
    if (name === 'Relationship') targets.set(attributes.Id ?? '', attributes.Target ?? '');
  const found = new Map<string, string>();
  for (const { name, attributes } of tagsIn(bytes, 'xl/workbook.xml')) {
    const target = targets.get(attributes['r:id'] ?? '');
    if (name === 'sheet' && target !== undefined)
      found.set(attributes.name ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  }
  return found;
}

function tagsIn(bytes: Uint8Array, path: string): Iterable<SaxesTagPlain> {
  const tags: SaxesTagPlain[] = [];
  return readXml(partOf(bytes, path, MAX_INDEX_BYTES), tags, { open: (tag) => tags.push(tag) });
}

/** The rows of one sheet. The texts that sheets share are read before. */
export function* sheetRows(bytes: Uint8Array, path: string): Generator<SheetRow> {
  const texts = [...sharedTexts(bytes)];
  const rows: SheetRow[] = [];
  let open: { line: number; cells: string[] } | undefined;
  let cell: { column: number; type: string; text: string } | undefined;
  let isValue = false;
  const count = counter();
  yield* readXml(partOf(bytes, path), rows, {
    open({ name, attributes }) {
      if (name === 'row') open = { line: Number(attributes.r ?? (open?.line ?? 0) + 1), cells: [] };
      else if (name === 'c') cell = { column: columnOf(attributes.r ?? ''), type: attributes.t ?? 'n', text: '' };
      else if (name === 'v' || name === 't') isValue = true;
    },
    text(text) {
      if (isValue && cell) cell.text = joinedText(cell.text, text);
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c' && cell && open) {
        const text = textOf(cell, texts, open.line);
        count(1 + Math.max(0, cell.column - open.cells.length), text.length);
        while (open.cells.length < cell.column) open.cells.push('');
        open.cells[cell.column] = text;
        cell = undefined;
      } else if (name === 'row' && open) rows.push(open);
    },
  });
}

/** Counts cells, with omitted ones, and characters: one shared text can be named a million times. */
function counter() {
  let [cells, length] = [0, 0];
  return (moreCells: number, moreLength: number) => {
    cells += moreCells;
    length += moreLength;
    if (cells > MAX_CELLS) throw refuse(`a sheet of it has more than ${MAX_CELLS} cells.`);
    if (length > MAX_TEXT_LENGTH) throw refuse(`a sheet of it has more than ${MAX_TEXT_LENGTH} characters.`);
  };
}

function joinedText(text: string, more: string): string {
  if (text.length + more.length <= MAX_CELL_LENGTH) return text + more;
  throw refuse(`a cell of it has more than ${MAX_CELL_LENGTH} characters.`);
}

function textOf({ type, text }: { type: string; text: string }, texts: readonly string[], line: number): string {
  if (type === 'e') throw refuse(`it has the error ${shortened(text)} in a cell.`, { line });
  if (type !== 's') return text.trim();
  const shared = texts[Number(text)];
  if (shared === undefined)
    throw refuse(`it names a text ${shortened(text)} that is missing in the workbook.`, { line });
  return shared;
}

/** `AB12` is column 27. */
function columnOf(reference: string): number {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1] ?? '';
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  if (column === 0 || column > MAX_COLUMNS) throw refuse(`'${shortened(reference)}' is no cell of a workbook.`);
  return column - 1;
}

const SHARED = 'xl/sharedStrings.xml';

/** A workbook of numbers alone has none. */
function* sharedTexts(bytes: Uint8Array): Generator<string> {
  if (!holdsFile(bytes, SHARED)) return;
  const found: string[] = [];
  let text = '';
  let isText = false;
  let [count, length] = [0, 0];
  yield* readXml(partOf(bytes, SHARED), found, {
    open({ name }) {
      if (name === 'si') text = '';
      // A reading aid stands beside the text, not in it.
      isText = name === 't';
    },
    text(part) {
      if (isText) text = joinedText(text, part);
    },
    close(name) {
      if (name === 't') isText = false;
      if (name !== 'si') return;
      count += 1;
      length += text.length;
      if (count > MAX_SHARED_TEXTS || length > MAX_TEXT_LENGTH)
        throw refuse(`it has more than ${MAX_SHARED_TEXTS} texts or ${MAX_TEXT_LENGTH} characters of them.`);
      found.push(text.trim());
    },
  });
}

/**
 * A number of a sheet. Workbooks hold binary fractions: 35.270000000000003 is the 35.27 that was meant, to the last bit.
 * @throws MacroError of kind `usage`.
 */
export function readSheetNumber({ text, line, of }: PlacedCell): string {
  const number = /^-?\d+(?:\.\d+)?(?:E[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(number)) return String(number);
  throw refuse(`'${text}' is no number${of === undefined ? '' : ` of ${of}`}.`, { line });
}

const partOf = (bytes: Uint8Array, path: string, maxBytes?: number) => ({
  name: `its part ${path}`,
  pieces: unzipPieces(bytes, path, maxBytes),
});
