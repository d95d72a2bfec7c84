import type { RowTexts } from '../../contract/json/body.ts';
import type { JsonText } from '../../contract/json/json.ts';
import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { grownSheet, sheetPieces } from './csv.ts';
import { renderJson, renderNdjson } from './json.ts';
import type { Listing } from './listing.ts';
import {
  addedColumns,
  type ColumnKinds,
  cellText,
  type Fields,
  fieldsIn,
  inLines,
  isNumber,
  markdownColumns,
  pickFields,
  rawAt,
  type Shape,
  shapeRows,
  sheetCell,
  sheetColumns,
  shownColumns,
  unsortedRows,
} from './rows.ts';
import { cleanText, escapeJson } from './text.ts';

export const FORMATS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'md'] as const;
/** A chart is asked for by an option of its own: what has no series over time has none. */
export type Format = (typeof FORMATS)[number] | 'chart';

/** Tables with typed cells; they are written into files only. */
const TABLE_FILES = ['parquet', 'xlsx'] as const;
export type TableFileFormat = (typeof TABLE_FILES)[number];
/** Pictures of series over time, as well. */
const PICTURES = ['svg', 'png', 'html'] as const;
export type PictureFormat = (typeof PICTURES)[number];
export type FileFormat = TableFileFormat | PictureFormat;

/** The formats of files, by the endings of their names. */
const ENDINGS = ['csv', 'json', 'ndjson', 'tsv', 'md', ...TABLE_FILES, ...PICTURES] as const;

/** The formats of an export: rows of a view, which have no answer around them. */
export const EXPORTS = ['csv', 'ndjson', 'parquet', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORTS)[number];

export interface FormatOptions {
  readonly chart: boolean;
  /** `--format`. */
  readonly option: string | undefined;
  /** `--output`. */
  readonly file: string | undefined;
  /** From a project file or the configuration. */
  readonly setting: string | undefined;
  readonly isTerminal: boolean;
}

export interface RenderOptions extends Shape {
  readonly format: Format;
  readonly header: boolean;
  readonly color: boolean;
  /** The text goes to a terminal and not to a file or a pipe. */
  readonly toTerminal: boolean;
  /** Characters of the terminal; undefined for none. */
  readonly width: number | undefined;
  readonly height?: number | undefined;
}

/** The format by the first that applies: chart, `--format`, ending of the file, setting, kind of stdout. */
export function chooseFormat(options: FormatOptions): Format | FileFormat {
  if (options.chart) return chartFormat(options);
  if (options.option !== undefined) return readFormat(options.option);
  if (options.file !== undefined) return formatOfFile(options.file);
  if (options.setting !== undefined) return readFormat(options.setting);
  return options.isTerminal ? 'table' : 'tsv';
}

export function isFileFormat(format: string): format is FileFormat {
  return isPicture(format) || TABLE_FILES.some((one) => one === format);
}

export function isPicture(format: string): format is PictureFormat {
  return PICTURES.some((one) => one === format);
}

/** True when the output is a chart, in a terminal or in a file. */
export function isDrawn({ chart, file }: Pick<FormatOptions, 'chart' | 'file'>): boolean {
  return chart || (file !== undefined && PICTURES.some((one) => file.toLowerCase().endsWith(`.${one}`)));
}

function chartFormat({ option, file }: FormatOptions): Format | FileFormat {
  if (option !== undefined)
    throw new MacroError('usage', '--chart and --format exclude each other.', { hint: 'Leave one of them out.' });
  if (file === undefined) return 'chart';
  const format = PICTURES.find((one) => one === endingOf(file));
  if (format) return format;
  throw new MacroError('usage', `A chart cannot be written as ${endingOf(file) || file}.`, {
    code: 'unknown_format',
    hint: 'Use an ending of .svg, .png or .html.',
  });
}

export function readFormat(word: string): Format {
  const known = FORMATS.find((format) => format === word.toLowerCase());
  if (known) return known;
  throw new MacroError('usage', `There is no format '${word}'.`, {
    code: 'unknown_format',
    hint: isFileFormat(word.toLowerCase())
      ? `Name a file with that ending: -o FILE.${word.toLowerCase()}`
      : hintFor(word, FORMATS, `Formats are ${FORMATS.join(', ')}.`),
  });
}

/** The format that a mirror is exported as into this file. @throws MacroError of kind `usage`. */
export function exportFormat(file: string): ExportFormat {
  const ending = endingOf(file);
  const format = EXPORTS.find((one) => one === ending);
  if (format) return format;
  throw new MacroError('usage', `A mirror is not exported as ${ending || file}.`, {
    code: 'unknown_format',
    hint: `Endings are ${EXPORTS.map((one) => `.${one}`).join(', ')}.`,
  });
}

/** The letters behind the last dot of a name. */
function endingOf(file: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
}

function formatOfFile(file: string): Format | FileFormat {
  const format = ENDINGS.find((one) => one === endingOf(file));
  if (format) return format;
  throw new MacroError('usage', `The ending of '${file}' names no format.`, {
    code: 'unknown_format',
    hint: `Use an ending of ${ENDINGS.map((one) => `.${one}`).join(', ')}, or say --format.`,
  });
}

/** The one way from rows to text. Each text ends with exactly one newline; no rows and no header make no text. */
export async function renderListing(listing: Listing, options: RenderOptions): Promise<string> {
  return [...(await renderPieces(listing, options))].join('');
}

/** The same in batches, each made when requested. A refusal comes before the first batch. */
export async function renderPieces(listing: Listing, options: RenderOptions): Promise<Iterable<string>> {
  const { format } = options;
  if (format === 'ndjson') return ndjsonPieces(listing, options);
  if (format === 'csv' || format === 'tsv') return sheetOf(listing, options, format);
  return [await renderWhole(listing, options, format)];
}

function ndjsonPieces(listing: Listing, options: RenderOptions): Iterable<string> {
  const pieces = renderNdjson(chosenRows(listing, options));
  return options.toTerminal ? [forTerminal([...pieces].join(''), options)] : pieces;
}

function sheetOf(listing: Listing, options: RenderOptions, format: 'csv' | 'tsv'): Iterable<string> {
  const { header, fields } = options;
  const ordered = orderedRows(inLines(listing), options);
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
    const body = isPlain ? listing.body() : listing.body([...chosenRows(listing, options)]);
    return forTerminal(renderJson(body), options);
  }
  const shaped = shapeRows(inLines(listing), options);
  const rows = shaped.map((row) => row.fields);
  if (format === 'md') return renderMarkdown(fields ?? markdownColumns(listing, rows), rows, listing);
  const added = addedToTable(listing, rows);
  const columns = fields ?? [...new Set([...shownColumns(listing, rows), ...added])];
  const { renderTable } = await import('./table.ts');
  const { color, width } = options;
  // Nothing that was asked for by name is spare.
  const spare = fields ? [] : [...(listing.spare ?? []), ...added.toReversed()];
  return renderTable({ columns, spare, rows, view: listing.view, kinds: listing, color, width });
}

/** More added fields than these, such as all indicators, are shown in the block below the table only. */
const MAX_ADDED_COLUMNS = 8;

/** Fields of one number that the question adds to the rows. */
function addedToTable(listing: Listing, rows: readonly Fields[]): readonly string[] {
  const added = addedColumns(listing, rows).filter((name) => rows.some((row) => isNumber(row.get(name))));
  return added.length > MAX_ADDED_COLUMNS ? [] : added;
}

function chosenRows(listing: Listing, options: RenderOptions): Iterable<JsonText> {
  const { fields } = options;
  const rows = orderedRows(listing, options);
  return fields ? pickedFrom(rows, fields) : rows;
}

function* pickedFrom(rows: RowTexts, names: readonly string[]): Generator<JsonText> {
  for (const row of fieldsIn(rows)) yield pickFields(row, names);
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
