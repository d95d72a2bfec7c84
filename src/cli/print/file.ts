import { asJsonText, toJsonText } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { ViewType } from '../../mirror/rules/views.ts';
import { chartOf } from './chart/chart.ts';
import { renderSvg } from './chart/svg.ts';
import { csvLine } from './csv.ts';
import { type ExportFormat, type FileFormat, isPicture, type PictureFormat, type TableFileFormat } from './format.ts';
import type { Listing } from './listing.ts';
import { allColumns, cellText, type Fields, inLines, isNumber, rawAt, type Shape, shapeRows } from './rows.ts';

export interface TypedColumn {
  readonly name: string;
  readonly type: ViewType;
}

/** A cell as a view gives it: dates and instants are ISO text, a flag is 1 or 0. An instant may be milliseconds. */
export type FileCell = string | number | bigint | null;

/** Takes rows page by page and writes them, so that no file needs memory for all of its rows. */
export interface FileTableWriter {
  write(rows: readonly (readonly FileCell[])[]): void;
  /** Writes what stands after the rows. */
  end(): void;
}

export interface TableFile {
  readonly columns: readonly TypedColumn[];
  /** Facts about all of the rows: where they come from, when they were written. */
  readonly facts: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly now: number;
  write(bytes: Uint8Array): void;
}

const DAY = 86_400_000;

interface FileOptions<F = TableFileFormat> extends Shape {
  readonly format: F;
  /** Beside each number the text that was published; a workbook always has it. */
  readonly withText?: boolean;
  /** Milliseconds. */
  readonly now: number;
}

interface FileColumn extends TypedColumn {
  readonly cells: readonly FileCell[];
}

const UTF8 = new TextEncoder();

/** A listing as the contents of a file that is no list of lines: a picture, or a table with typed cells. */
export async function fileOf(
  listing: Listing,
  { format, ...options }: FileOptions<FileFormat>,
): Promise<string | Uint8Array> {
  return isPicture(format) ? pictureOf(listing, options, format) : listingFile(listing, { ...options, format });
}

export async function pictureOf(listing: Listing, shape: Shape, format: PictureFormat): Promise<string | Uint8Array> {
  const chart = chartOf(listing, shape);
  if (format === 'svg') return renderSvg(chart, shape.style);
  if (format === 'html') return (await import('./chart/html.ts')).renderPage(chart, shape.style);
  return (await import('./chart/png.ts')).drawPng(chart, shape.style);
}

export async function listingFile(listing: Listing, options: FileOptions): Promise<Uint8Array> {
  const shaped = shapeRows(inLines(listing), options);
  const rows = shaped.map(({ fields }) => fields);
  const names = options.fields ?? allColumns(listing, rows);
  const withText = options.withText === true || options.format === 'xlsx';
  const columns = names.flatMap((name) => columnsOf(rows, { name, type: typeIn(listing, rows, name), withText }));
  const chunks: Uint8Array[] = [];
  const writer = await tableWriter(options.format, {
    columns,
    facts: factsOf(listing, options.now),
    now: options.now,
    write: (bytes) => void chunks.push(bytes.slice()),
  });
  writer.write(rows.map((_, i) => columns.map(({ cells }) => cells[i] ?? null)));
  writer.end();
  return Buffer.concat(chunks);
}

function factsOf({ view, facts }: Listing, now: number): Readonly<Record<string, string>> {
  const title = (view?.lasting ?? view?.title)?.join(' · ');
  return {
    generator: 'macro',
    generated_at: isoSeconds(Math.floor(now / 1000)),
    ...(title !== undefined && { title }),
    ...facts,
  };
}

/** The type that the contract gives a field, else the common type of its values. */
function typeIn({ types, times }: Listing, rows: readonly Fields[], name: string): TypedColumn['type'] {
  const type = types?.get(name) ?? typeOfValues(rows.map((row) => rawAt(row, name)));
  return type === 'integer' && times?.has(name) ? 'seconds' : type;
}

/** The typed column of a field, and its text if requested for numbers or if a value does not fit the type. */
function columnsOf(
  rows: readonly Fields[],
  { name, type, withText }: TypedColumn & { readonly withText: boolean },
): readonly FileColumn[] {
  const raws = rows.map((row) => rawAt(row, name));
  const text = raws.map((raw) => (raw === undefined || raw === 'null' ? null : cellText(raw)));
  if (type === 'text') return [{ name, type, cells: text }];
  const cells = raws.map((raw) => cellOf(type, raw));
  const fits = cells.every((cell, i) => cell !== null || text[i] === null);
  const beside =
    (type === 'real' && withText) || !fits ? [{ name: `${name}_text`, type: 'text', cells: text } as const] : [];
  return [{ name, type, cells }, ...beside];
}

function typeOfValues(raws: readonly (string | undefined)[]): TypedColumn['type'] {
  const filled = raws.flatMap((raw) => (raw === undefined || raw === 'null' ? [] : [raw]));
  if (filled.length === 0 || !filled.every(isNumber)) return 'text';
  if (!filled.every((raw) => WHOLE.test(raw))) return 'real';
  // A longer whole number fits no column of numbers without becoming another one.
  return filled.every((raw) => cellOf('integer', raw) !== null) ? 'integer' : 'text';
}

const WHOLE = /^-?\d+$/;

/** The value of a raw member as its type has it; null for nothing, and for what does not fit. */
export function cellOf(type: TypedColumn['type'], raw: string | undefined): FileCell {
  if (raw === undefined || raw === 'null') return null;
  if (type === 'flag') return raw === 'true' ? 1 : raw === 'false' ? 0 : null;
  if (type === 'integer' || type === 'seconds')
    return WHOLE.test(raw) && raw.length <= 20 ? in64Bits(BigInt(raw)) : null;
  if (type === 'real') return isNumber(raw) && Number.isFinite(Number(raw)) ? Number(raw) : null;
  const text = cellText(raw);
  if (type === 'date') return dayOf(text) === null ? null : text;
  if (type === 'instant') return millisecondsOf(text) === null ? null : text;
  return text;
}

function in64Bits(whole: bigint): bigint | null {
  return BigInt.asIntN(64, whole) === whole ? whole : null;
}

/** The writer of a format; its library is loaded here, when a file is written. */
export async function tableWriter(format: ExportFormat, file: TableFile): Promise<FileTableWriter> {
  if (format === 'parquet') return (await import('./parquet.ts')).parquetWriter(file);
  if (format === 'xlsx') return (await import('./xlsx.ts')).xlsxWriter(file);
  return format === 'csv' ? csvWriter(file) : ndjsonWriter(file);
}

/** Writes CSV with a header line, quoted and inert as every CSV of this program. */
function csvWriter({ columns, write }: TableFile): FileTableWriter {
  const put = (cells: readonly FileCell[]) => csvLine(cells.map((cell) => (cell === null ? '' : String(cell))));
  write(UTF8.encode(put(columns.map(({ name }) => name))));
  return {
    write: (rows) => write(UTF8.encode(rows.map(put).join(''))),
    end: () => undefined,
  };
}

/** Writes one JSON object a line; whole numbers keep all of their digits. */
function ndjsonWriter({ columns, write }: TableFile): FileTableWriter {
  const lineOf = (row: readonly FileCell[]) => {
    const members = columns.map(({ name, type }, i) => `${toJsonText(name)}:${jsonOf(type, row[i] ?? null)}`);
    return asJsonText(`{${members.join(',')}}`);
  };
  return {
    write: (rows) => write(UTF8.encode(rows.map((row) => `${lineOf(row)}\n`).join(''))),
    end: () => undefined,
  };
}

function jsonOf(type: TypedColumn['type'], cell: FileCell): string {
  if (type === 'flag' && cell !== null) return String(Number(cell) !== 0);
  return typeof cell === 'bigint' ? String(cell) : JSON.stringify(cell);
}

/** Days since 1970-01-01 of a calendar date; null for anything else. */
export function dayOf(cell: FileCell): number | null {
  if (typeof cell !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(cell)) return null;
  const ms = Date.parse(cell);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== cell ? null : ms / DAY;
}

/** Milliseconds since 1970 of an ISO date-time with a zone, or as they are; null for anything else. */
export function millisecondsOf(cell: FileCell): number | null {
  if (typeof cell === 'number') return cell;
  if (typeof cell !== 'string' || !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(cell)) return null;
  const ms = Date.parse(cell);
  return Number.isNaN(ms) ? null : ms;
}
