/** Cells of a text file, one record after the other: numbers stay as they are spelled, and a fault is named by its line. */
import { CsvError, parse } from 'csv-parse';
import { refuse } from '../refuse.ts';

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

/** What the parser gives for a record when it is asked for its place too. */
interface PlacedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A record as long as this has lost a closing quote. */
const LONGEST_RECORD = 4 * 1024 * 1024;

/** Records of a text that comes in pieces, but for empty lines. A record need not have as many cells as others. */
export function* readCsv(pieces: Iterable<Uint8Array>, shape: CsvShape): Generator<CsvRecord> {
  const parser = parse({
    delimiter: shape.separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    trim: true,
    info: true,
    max_record_size: LONGEST_RECORD,
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
      if (cells.length > 1 || cells[0] !== '') yield { cells, line: info.lines };
    }
    if (parser.errored) throw faultOf(parser.errored);
  }
  for (const text of decode(pieces, shape.encoding ?? 'utf-8')) {
    const bytes = Buffer.from(text);
    written += bytes.length;
    parser.write(bytes);
    yield* taken();
  }
  parser.end();
  yield* taken();
  // A parser that put work off would leave the end of the file out without a word.
  if (parser.info.bytes !== written) throw new Error(`Of ${written} bytes ${parser.info.bytes} were read`);
}

/** The text of a file. A mark of byte order is taken away, and says which encoding it is. */
function* decode(pieces: Iterable<Uint8Array>, encoding: string): Generator<string> {
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

function faultOf(fault: Error): Error {
  if (!(fault instanceof CsvError)) return fault;
  const { lines } = fault;
  const line = typeof lines === 'number' ? lines : undefined;
  return refuse(FAULTS[fault.code] ?? 'it is no table of cells.', {
    ...(line !== undefined && { line }),
    cause: fault,
  });
}
