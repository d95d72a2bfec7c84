/** Sheets of a workbook (.xlsx), row by row while they are unpacked: numbers stay as the file spells them. */

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { type PlacedCell, refuse } from './cells.ts';
import { holdsFile, unzipPieces } from './unzip.ts';

export interface SheetRow {
  /** Number of the row, counted from 1. */
  readonly line: number;
  /** By column, the first one at 0; an empty cell is '' and so is one that the file leaves out. */
  readonly cells: readonly string[];
}

/** Bytes that a part of a workbook may have: many times what the largest official one has. */
const MOST_BYTES = 512 * 1024 * 1024;
const MOST_COLUMNS = 16_384;

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

/** The rows of one sheet. The texts that sheets share are read before. */
export function* sheetRows(bytes: Uint8Array, path: string): Generator<SheetRow> {
  const texts = [...sharedTexts(bytes)];
  const rows: SheetRow[] = [];
  let open: { line: number; cells: string[] } | undefined;
  let cell: { column: number; type: string; text: string } | undefined;
  let isValue = false;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'row') open = { line: Number(attributes.r ?? (open?.line ?? 0) + 1), cells: [] };
    else if (name === 'c') cell = { column: columnOf(attributes.r ?? ''), type: attributes.t ?? 'n', text: '' };
    else if (name === 'v' || name === 't') isValue = true;
  });
  parser.on('text', (text) => {
    if (isValue && cell) cell.text += text;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'v' || name === 't') isValue = false;
    else if (name === 'c' && cell && open) {
      while (open.cells.length < cell.column) open.cells.push('');
      open.cells[cell.column] = textOf(cell, texts, open.line);
      cell = undefined;
    } else if (name === 'row' && open) rows.push(open);
  });
  yield* parsed(bytes, path, parser, rows);
}

function textOf({ type, text }: { type: string; text: string }, texts: readonly string[], line: number): string {
  if (type === 'e') throw refuse(`it has the error ${text} in a cell.`, { line });
  if (type !== 's') return text.trim();
  const shared = texts[Number(text)];
  if (shared === undefined) throw refuse(`it names a text ${text} that the workbook lacks.`, { line });
  return shared;
}

/** `AB12` is column 27. */
function columnOf(reference: string): number {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1] ?? '';
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  if (column === 0 || column > MOST_COLUMNS) throw refuse(`'${reference}' is no cell of a workbook.`);
  return column - 1;
}

const SHARED = 'xl/sharedStrings.xml';

/** A workbook of numbers alone has none. */
function* sharedTexts(bytes: Uint8Array): Generator<string> {
  if (!holdsFile(bytes, SHARED)) return;
  const found: string[] = [];
  let text = '';
  let isText = false;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    if (name === 'si') text = '';
    // A reading aid stands beside the text, not in it.
    isText = name === 't';
  });
  parser.on('text', (part) => {
    if (isText) text += part;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 't') isText = false;
    if (name === 'si') found.push(text.trim());
  });
  yield* parsed(bytes, SHARED, parser, found);
}

function* tagsIn(bytes: Uint8Array, path: string): Generator<SaxesTagPlain> {
  const tags: SaxesTagPlain[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => tags.push(tag));
  yield* parsed(bytes, path, parser, tags);
}

/** What a parser has found so far, piece after piece of a part of the workbook. */
function* parsed<T>(bytes: Uint8Array, path: string, parser: SaxesParser, found: T[]): Generator<T> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const faults: Error[] = [];
  parser.on('error', (fault) => faults.push(fault));
  const checked = () => {
    const [cause] = faults;
    if (cause) throw refuse(`its part ${path} is no XML.`, { cause });
    return found.splice(0);
  };
  for (const piece of unzipPieces(bytes, path, MOST_BYTES)) {
    parser.write(decoder.decode(piece, { stream: true }));
    yield* checked();
  }
  parser.close();
  yield* checked();
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
