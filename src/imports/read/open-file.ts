/** A file that is imported: read in pieces, twice, and the same both times. */
import { createHash } from 'node:crypto';
import type { ImportedFile } from '../format.ts';
import { refuse } from './cells.ts';
import { markedEncoding, readCsv } from './csv.ts';
import { holdsFile, isZip, onlyFileIn, unzipPieces } from './unzip.ts';

/** Where the bytes of a file come from; they can be asked for again. */
export interface FileBytes {
  readonly name: string;
  pieces(): Iterable<Uint8Array>;
}

export interface OpenedFile extends ImportedFile {
  /** SHA-256 of the file as it was given, as hexadecimal digits. */
  readonly digest: string;
  /** Bytes of the file as it was given: of an archive those of the archive. */
  readonly length: number;
  /** False of a text whose last line has no end. */
  readonly endsLastLine: boolean;
  /** The last character of a text in ASCII; empty where it is none. */
  readonly lastMark: string;
}

/** A packed file is held in memory as it is, and unpacked in pieces. See docs/interface.md#safety-of-clients. */
const MAX_PACKED_BYTES = 64 * 1024 * 1024;

const HEAD_BYTES = 16 * 1024;

export function openFile({ name, pieces }: FileBytes): OpenedFile {
  const { digest, start, end, length } = lookAt(pieces());
  const steady = () => unchanged(pieces(), digest);
  if (!isZip(start)) return opened({ name, digest, start, end, length, pieces: steady });
  const bytes = joined(steady());
  if (holdsFile(bytes, 'xl/workbook.xml'))
    return {
      name,
      digest,
      length,
      head: '',
      isWorkbook: true,
      endsLastLine: true,
      lastMark: '',
      bytes: () => bytes,
      records: noRecords,
    };
  const path = onlyFileIn(bytes, ['.csv', '.txt']);
  const unpacked = () => unzipPieces(bytes, path);
  const content = lookAt(unpacked());
  return opened({ name, digest, start: content.start, end: content.end, length, pieces: unpacked });
}

interface Text {
  readonly name: string;
  readonly digest: string;
  readonly length: number;
  readonly start: Uint8Array;
  /** Its last bytes. */
  readonly end: Uint8Array;
  pieces(): Iterable<Uint8Array>;
}

function opened({ name, digest, start, end, length, pieces }: Text): OpenedFile {
  // Bytes of which nobody knows the encoding yet: each becomes a character, and what a file is called is plain ASCII.
  const head = new TextDecoder(markedEncoding(start) ?? 'latin1').decode(start.subarray(0, HEAD_BYTES));
  if (/^\s*<(?:!doctype|html|\?xml|head|body)/i.test(head))
    throw refuse('it is a page of the web, no file of data.', { line: 1 });
  return {
    name,
    digest,
    length,
    head,
    isWorkbook: false,
    endsLastLine: isLineEnd(end),
    lastMark: String.fromCharCode(end.at(-1) || (end.at(-2) ?? 0)),
    bytes: () => joined(pieces()),
    records: (shape) => ({ [Symbol.iterator]: () => readCsv(pieces(), shape) }),
  };
}

/** Bytes of a line end at most: UTF-16 has two for a character, in either order. */
const LINE_END_BYTES = 2;

function isLineEnd(end: Uint8Array): boolean {
  const [before = 0, last = 0] = [end.at(-2), end.at(-1)];
  return isMark(last) || (last === 0 && isMark(before));
}

const isMark = (byte: number): boolean => byte === 0x0a || byte === 0x0d;

function noRecords(): never {
  throw refuse('it is a workbook, and this importer reads text.');
}

function lookAt(pieces: Iterable<Uint8Array>) {
  const hash = createHash('sha256');
  const parts: Uint8Array[] = [];
  let length = 0;
  let end = new Uint8Array();
  for (const piece of pieces) {
    hash.update(piece);
    if (length < HEAD_BYTES) parts.push(piece);
    length += piece.length;
    end = Uint8Array.of(...end, ...piece.subarray(-LINE_END_BYTES)).subarray(-LINE_END_BYTES);
  }
  if (length === 0) throw refuse('it is empty.');
  return { digest: hash.digest('hex'), start: Buffer.concat(parts), end, length };
}

/** The same bytes as before, or an error behind the last one: what is written rests on what was checked. */
function* unchanged(pieces: Iterable<Uint8Array>, digest: string): Generator<Uint8Array> {
  const hash = createHash('sha256');
  for (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== digest) throw refuse('it has changed while it was read. Run the import again.');
}

function joined(pieces: Iterable<Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    length += piece.length;
    if (length > MAX_PACKED_BYTES) throw refuse(`it is larger than ${MAX_PACKED_BYTES} bytes.`);
    parts.push(piece);
  }
  return Buffer.concat(parts);
}
