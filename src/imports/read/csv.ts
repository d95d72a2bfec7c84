/** Cells of a text file, one record after the other: numbers stay as they are spelled, and a fault is named by its line. */
import { CsvError, parse } from 'csv-parse';
import { refuse } from './cells.ts';

/** How the text of a file is cut into cells. */
export interface CsvShape {
  readonly separator: ',' | ';' | '\t';
  /** UTF-8 when left out. A mark of byte order decides before it does. */
  readonly encoding?: 'utf-8' | 'windows-1250' | 'windows-1252';
}

export interface CsvRecord {
  /** Without blanks around them. */
  readonly cells: readonly string[];
  /** Line of the file on which the record ends, counted from 1. */
  readonly line: number;
}

/** A record of the parser with its place. */
interface PlacedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A record as long as this has lost a closing quote. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Records of a text in chunks, without empty lines, of any length. @throws MacroError of kind `usage`. */
export function* readCsv(pieces: Iterable<Uint8Array>, shape: CsvShape): Generator<CsvRecord> {
  const texts = decode(pieces, shape.encoding ?? 'utf-8');
  try {
    yield* plain(texts, shape);
  } finally {
    texts.return();
  }
}

/** Cuts the text at its marks as long as it is plain, and leaves the rest of it to the parser. */
function* plain(texts: Iterator<string>, shape: CsvShape): Generator<CsvRecord> {
  let lines = 0;
  let rest = '';
  for (let next = texts.next(); !next.done; next = texts.next()) {
    const text = rest + next.value;
    if (!isPlain(text) || text.length > MAX_RECORD_BYTES) return yield* parsed(text, texts, { shape, lines });
    // The last line may go on, and its end may be cut in two.
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (end === 0) continue;
    for (const line of text.slice(0, end - 1).split('\n')) {
      lines += 1;
      const cells = cellsOf(line, shape.separator);
      if (cells.length > 1 || cells[0] !== '') yield { cells, line: lines };
    }
  }
  yield* parsed(rest, texts, { shape, lines });
}

/** Text without quotes, with standard line ends. Cutting it at its marks takes a small part of the parser's time. */
function isPlain(text: string): boolean {
  if (text.includes('"')) return false;
  for (let at = text.indexOf('\r'); at >= 0 && at < text.length - 1; at = text.indexOf('\r', at + 1))
    if (text[at + 1] !== '\n') return false;
  return true;
}

function cellsOf(line: string, separator: string): readonly string[] {
  const cells = line.split(separator);
  for (let place = 0; place < cells.length; place += 1) {
    const cell = cells[place] ?? '';
    if (mayBeBlank(cell.charCodeAt(0)) || mayBeBlank(cell.charCodeAt(cell.length - 1))) cells[place] = cell.trim();
  }
  return cells;
}

const mayBeBlank = (code: number): boolean => code <= 32 || code > 126;

/** Records of the rest of a text, by the parser. */
function* parsed(
  start: string,
  further: Iterator<string>,
  { shape, lines: before }: { readonly shape: CsvShape; readonly lines: number },
): Generator<CsvRecord> {
  const parser = parse({
    delimiter: shape.separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    trim: true,
    info: true,
    max_record_size: MAX_RECORD_BYTES,
    // For each record of another length than the first the parser makes an error, though nobody sees it: 30 us for two bytes of file.
    on_record: (record) => {
      Object.assign(parser.info, { records: 0 });
      return record;
    },
  });
  // The event of a fault comes later than the fault, which is looked for below. Unheard, it would end the program.
  parser.on('error', () => {});
  let written = 0;
  // The parser works while it is written to, so what it has read can be taken at once and never piles up.
  function* taken(): Generator<CsvRecord> {
    for (;;) {
      const placed: PlacedRecord | null = parser.read();
      if (placed === null) break;
      const { record: cells, info } = placed;
      if (cells.length > 1 || cells[0] !== '') yield { cells, line: before + info.lines };
    }
    if (parser.errored) throw faultOf(parser.errored, before);
  }
  for (let text: string | undefined = start; text !== undefined; ) {
    const bytes = Buffer.from(text);
    written += bytes.length;
    parser.write(bytes);
    yield* taken();
    const next = further.next();
    text = next.done ? undefined : next.value;
  }
  parser.end();
  yield* taken();
  // A parser that put work off would leave the end of the file out without a word.
  if (parser.info.bytes !== written) throw new Error(`${parser.info.bytes} of ${written} bytes were read`);
}

/** The text of a file. A mark of byte order is taken away, and says which encoding it is. */
function* decode(pieces: Iterable<Uint8Array>, encoding: string): Generator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decoded = (piece?: Uint8Array) => {
    try {
      return piece ? decoder?.decode(piece, { stream: true }) : decoder?.decode();
    } catch (cause) {
      throw refuse(`it is no ${decoder?.encoding.toUpperCase()} text.`, { cause });
    }
  };
  for (const piece of pieces) {
    decoder ??= new TextDecoder(markedEncoding(piece) ?? encoding, { fatal: true });
    const text = decoded(piece);
    if (text) yield text;
  }
  const rest = decoded();
  if (rest) yield rest;
}

export function markedEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb ? 'utf-8' : undefined;
}

/** The parser's words for what a file may have wrong. */
const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell has no end: the file is cut off.',
  CSV_INVALID_CLOSING_QUOTE: 'something stands behind the end of a quoted cell.',
  INVALID_OPENING_QUOTE: 'a quote stands inside of a cell that is not quoted.',
  CSV_MAX_RECORD_SIZE: 'a record is far too long: a quoted cell has no end.',
};

function faultOf(fault: Error, before: number): Error {
  if (!(fault instanceof CsvError)) return fault;
  const { lines } = fault;
  const line = typeof lines === 'number' ? before + lines : undefined;
  return refuse(FAULTS[fault.code] ?? 'it is no table of cells.', {
    ...(line !== undefined && { line }),
    cause: fault,
  });
}
