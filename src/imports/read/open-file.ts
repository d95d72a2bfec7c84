/** An imported file: read in chunks, twice, and the same both times. */
import { createHash } from 'node:crypto';
import type { ImportedFile, TellableFacts } from '../format.ts';
import { refuse } from './cells.ts';
import { markedEncoding, readCsv } from './csv.ts';
import { holdsFile, isZip, onlyFileIn, unzipPieces } from './unzip.ts';
import { elementsOf } from './xml.ts';

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
  /** The last lines of a text; empty where length and checksum of an archive say that the file is whole. */
  readonly end: string;
}

/** A packed file is in memory packed, and unpacked in chunks. See docs/interface.md#safety-of-clients. */
const MAX_PACKED_BYTES = 64 * 1024 * 1024;

/** Bytes at the beginning and at the end of a file that are looked at on their own. */
const EDGE_BYTES = 16 * 1024;

/** The first bytes of a compound file, as Excel wrote them until 2003. */
const EXCEL_97 = [0xd0, 0xcf, 0x11, 0xe0];

export function openFile({ name, pieces }: FileBytes, facts: TellableFacts = {}): OpenedFile {
  const { digest, start, end, length } = lookAt(pieces());
  const steady = () => unchanged(pieces(), digest);
  if (EXCEL_97.every((byte, place) => start[place] === byte))
    throw refuse('it is a workbook of Excel 97 to 2003 (.xls), which is not read.', {
      hint: 'Save the sheet as CSV, or get the CSV of the publisher.',
    });
  const known = { name, facts, digest, length };
  if (!isZip(start)) return opened({ ...known, start, end, pieces: steady });
  const bytes = joined(steady());
  if (holdsFile(bytes, 'xl/workbook.xml'))
    return { ...known, head: '', isWorkbook: true, end: '', bytes: () => bytes, records: noText, elements: noText };
  // The Board's archives have a description of their structure beside the data.
  const path = onlyFileIn(bytes, ['.csv', '.txt'], ['_data.xml'], ['.xml']);
  const unpacked = () => unzipPieces(bytes, path);
  const content = lookAt(unpacked());
  return opened({ ...known, start: content.start, end: new Uint8Array(), pieces: unpacked });
}

interface Text extends Pick<OpenedFile, 'name' | 'facts' | 'digest' | 'length'> {
  readonly start: Uint8Array;
  /** Its last bytes, or none. */
  readonly end: Uint8Array;
  pieces(): Iterable<Uint8Array>;
}

function opened({ start, end, pieces, ...known }: Text): OpenedFile {
  // Bytes of which nobody knows the encoding yet: each becomes a character, and what a file is called is plain ASCII.
  const decoded = (bytes: Uint8Array) => new TextDecoder(markedEncoding(start) ?? 'latin1').decode(bytes);
  const head = decoded(start.subarray(0, EDGE_BYTES));
  if (/^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype|html|head|body)/i.test(head))
    throw refuse('it is a page of the web, no file of data.', { line: 1 });
  return {
    ...known,
    head,
    isWorkbook: false,
    end: decoded(end),
    bytes: () => joined(pieces()),
    records: (shape) => ({ [Symbol.iterator]: () => readCsv(pieces(), shape) }),
    elements: () => elementsOf(pieces()),
  };
}

function noText(): never {
  throw refuse('it is a workbook, and this importer reads text.');
}

function lookAt(pieces: Iterable<Uint8Array>) {
  const hash = createHash('sha256');
  const parts: Uint8Array[] = [];
  const last: Uint8Array[] = [];
  let [length, lastBytes] = [0, 0];
  for (const piece of pieces) {
    hash.update(piece);
    if (length < EDGE_BYTES) parts.push(piece);
    length += piece.length;
    lastBytes += last[last.push(piece) - 1]?.length ?? 0;
    while (lastBytes - (last[0]?.length ?? 0) >= EDGE_BYTES) lastBytes -= last.shift()?.length ?? 0;
  }
  if (length === 0) throw refuse('it is empty.');
  return {
    digest: hash.digest('hex'),
    start: Buffer.concat(parts),
    end: Buffer.concat(last).subarray(-EDGE_BYTES),
    length,
  };
}

/** The same bytes as before, or an error after the last one: only checked bytes may be written. */
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
