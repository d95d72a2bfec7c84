import { type RowMembers, type RowTexts, rowText } from '../../contract/json/body.ts';
import type { JsonText } from '../../contract/json/json.ts';
import { type ColumnKinds, sheetCell } from './cells.ts';
import { grownSheet, sheetPieces } from './csv.ts';
import type { Format } from './format.ts';
import { renderJson, renderNdjson } from './json.ts';
import type { Listing } from './listing.ts';
import { joinedText } from './piece.ts';
import { type Fields, type Shape, cellText, fieldsIn, fieldsOf, fieldsReader, isNumber, markdownColumns, pickFields, rawAt, shapeRows, sheetColumns, shownColumns, unsortedRows } from './rows.ts';
import { cleanText, escapeJson } from './text.ts';


export interface RenderOptions extends Shape {
  readonly format: Format;
  readonly header: boolean;
  readonly color: boolean;
  /** The text goes to a terminal and not to a file or a pipe. */
  readonly toTerminal: boolean;
  readonly width: number | undefined;
}

/** The one way from rows to text. Each text ends with exactly one newline; no rows and no header make no text. */
export async function renderListing(listing: Listing, options: RenderOptions): Promise<string> {
  return joinedText(await renderPieces(listing, options));
}

/**
 * The same in pieces, for whoever writes them one after the other: in formats of one line a row, each is made when it is asked
 * for, as the bytes that are written. What is refused is refused before the first piece.
 */
export async function renderPieces(listing: Listing, options: RenderOptions): Promise<Iterable<string | Uint8Array>> {
  const { format } = options;
  if (format === 'ndjson') return ndjsonPieces(listing, options);
  if (format === 'csv' || format === 'tsv') return sheetOf(listing, options, format);
  return [await renderWhole(listing, options, format)];
}

function ndjsonPieces(listing: Listing, options: RenderOptions): Iterable<string | Uint8Array> {
  const pieces = renderNdjson(chosenRows(listing, options));
  return options.toTerminal ? [forTerminal(joinedText(pieces), options)] : pieces;
}

function sheetOf(listing: Listing, options: RenderOptions, format: 'csv' | 'tsv'): Iterable<Uint8Array> {
  const { header, fields } = options;
  const ordered = orderedRows(listing.lines ? { ...listing, rows: listing.lines } : listing, options);
  const sheet = {
    names: ordered.length > 0 ? ordered.names : undefined,
    rows: fieldsIn(ordered),
    header,
    kinds: listing,
  };
  if (fields) return sheetPieces(format, sheet, fields);
  return grownSheet(format, sheet, (names) =>
    sheetColumns(listing, names).filter((name) => !listing.provenance?.has(name)),
  );
}

async function renderWhole(
  listing: Listing,
  options: RenderOptions,
  format: Exclude<Format, 'ndjson' | 'csv' | 'tsv'>,
): Promise<string> {
  const { fields } = options;
  if (format === 'chart') {
    const { plotOf } = await import('./chart/terminal.ts');
    return plotOf(listing, options);
  }
  if (format === 'json') {
    const isPlain = !fields && options.sort === undefined && !options.reverse;
    const body = isPlain ? listing.body() : listing.body(Array.from(chosenRows(listing, options), rowText));
    return forTerminal(renderJson(body), options);
  }
  const shaped = shapeRows(listing.lines ? { ...listing, rows: listing.lines } : listing, options);
  const rows = shaped.map((row) => row.fields);
  if (format === 'md') return renderMarkdown(fields ?? markdownColumns(listing, rows), rows, listing);
  const columns = fields ?? shownColumns(listing, rows);
  const { renderTable } = await import('./table.ts');
  const { color, width } = options;
  // Nothing that was asked for by name is spare.
  const spare = fields ? [] : (listing.spare ?? []);
  return renderTable({ columns, spare, rows, view: listing.view, kinds: listing, color, width });
}

/** Rows with the chosen fields only; those that are made here need not be put together. */
function chosenRows(listing: Listing, options: RenderOptions): Iterable<JsonText | RowMembers> {
  const { fields } = options;
  const rows = orderedRows(listing, options);
  return fields ? pickedFrom(rows.parts ?? rows, fields) : (rows.parts ?? rows);
}

function* pickedFrom(rows: Iterable<JsonText | RowMembers>, names: readonly string[]): Generator<JsonText> {
  const readMade = fieldsReader();
  for (const row of rows) yield pickFields(typeof row === 'string' ? fieldsOf(row) : readMade(row), names);
}

function orderedRows(listing: Listing, options: RenderOptions): RowTexts {
  if (options.sort === undefined && !options.reverse) return unsortedRows(listing, options);
  return shapeRows(listing, options).map(({ text }) => text);
}

function forTerminal(text: string, options: RenderOptions): string {
  return options.toTerminal ? escapeJson(text) : text;
}

/** A table in Markdown; numbers stand on the right. */
function renderMarkdown(columns: readonly string[], rows: readonly Fields[], kinds: ColumnKinds): string {
  const numeric = columns.map((name) => {
    const filled = rows.map((row) => rawAt(row, name)).filter((raw) => cellText(raw) !== '');
    return filled.length > 0 && filled.every(isNumber) && !kinds.times?.has(name);
  });
  const lines = [
    lineOf(columns.map(escapeCell)),
    lineOf(numeric.map((right) => (right ? '---:' : '---'))),
    ...rows.map((row) => lineOf(columns.map((name) => escapeCell(sheetCell(row, name, kinds))))),
  ];
  return `${lines.join('\n')}\n`;
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Remote text may neither leave its cell nor become markup. */
function escapeCell(text: string): string {
  return cleanText(text)
    .replace(/[\\|`[]/g, '\\$&')
    .replaceAll('<', '&lt;');
}
