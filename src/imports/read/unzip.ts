import { crc32 } from 'node:zlib';
import { Inflate } from 'fflate';
import { refuse, shortened, someOf } from './cells.ts';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_FILE = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

/** Compressed bytes handed on at once: deflate grows them at most a thousandfold before the bound is looked at again. */
const SLICE = 4 * 1024;

/** The files of an archive together unpack to at most so many times its size, and to so much more. Real ones: 20 times. */
const MAX_GROWTH = 32;
const FREE_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly size: number;
  readonly length: number;
  readonly at: number;
}

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/** Does a ZIP hold a file of exactly this path? A workbook is such a ZIP. */
export function holdsFile(bytes: Uint8Array, path: string): boolean {
  return listEntries(bytes).some(({ name }) => name === path);
}

/**
 * The path of the one file of a ZIP whose name ends in one of some endings, but for a text that explains it. Endings that no
 * file has give way to the next ones.
 * @throws MacroError of kind `usage`.
 */
export function onlyFileIn(bytes: Uint8Array, ...alternatives: readonly (readonly string[])[]): string {
  const all = listEntries(bytes)
    .map(({ name }) => name)
    .filter((name) => !/(?:^|\/)readme\b/i.test(name));
  for (const endings of alternatives) {
    const names = all.filter((name) => endings.some((one) => isWanted(name, one)));
    const [only] = names;
    if (names.length > 1)
      throw refuse(`the ZIP has several files that end in ${endings.join(' or ')}: ${someOf(names)}.`);
    if (only !== undefined) return only;
  }
  throw refuse(`the ZIP has no file that ends in ${alternatives.flat().join(' or ')}.`);
}

/**
 * The chunks of the file at exactly this path; none where the ZIP has no such file. Sizes in a ZIP are claims: no more
 * bytes come out than were claimed, and length and checksum are compared at the end.
 * @throws MacroError of kind `usage`.
 */
export function* unzipPieces(
  bytes: Uint8Array,
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Generator<Uint8Array> {
  const entry = listEntries(bytes).find(({ name }) => name === path);
  if (!entry) return;
  if (entry.length > maxBytes) throw refuse(`${shortened(path)} in the ZIP is larger than ${maxBytes} bytes.`);
  let [length, crc] = [0, 0];
  for (const piece of extractPieces(bytes, entry)) {
    length += piece.length;
    if (length > entry.length) throw damaged(entry);
    crc = crc32(piece, crc);
    yield piece;
  }
  if (length !== entry.length || crc !== entry.crc) throw damaged(entry);
}

/** Archives made on a Mac carry a shadow of every file. */
function isWanted(name: string, ending: string): boolean {
  const file = name.slice(name.lastIndexOf('/') + 1);
  return file.toLowerCase().endsWith(ending) && !file.startsWith('.') && !name.startsWith('__MACOSX/');
}

function listEntries(bytes: Uint8Array): readonly Entry[] {
  const view = viewOf(bytes);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries: Entry[] = [];
  if (count > MAX_ENTRIES) throw refuse(`the ZIP has ${count} files, and more than ${MAX_ENTRIES} are not read.`);
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw refuse('the ZIP is damaged.');
    const nameLength = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      size: view.getUint32(at + 20, true),
      length: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  const total = entries.reduce((sum, { length }) => sum + length, 0);
  if (total > FREE_BYTES + MAX_GROWTH * bytes.length)
    throw refuse(`the ZIP has ${bytes.length} bytes and unpacks to ${total}, which no file of data does.`);
  return entries;
}

/** The end record is the last thing in a ZIP, except for a comment of at most 65,535 bytes. */
function findEnd(view: DataView): number {
  const last = view.byteLength - 22;
  for (let at = last; at >= 0 && at >= last - 65_535; at -= 1)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  throw refuse('the ZIP is cut off.');
}

function* extractPieces(bytes: Uint8Array, entry: Entry): Generator<Uint8Array> {
  const view = viewOf(bytes);
  if ((entry.flags & 1) === 1) throw refuse(`${shortened(entry.name)} in the ZIP is encrypted.`);
  if (entry.at + 30 > bytes.length || view.getUint32(entry.at, true) !== LOCAL_FILE)
    throw refuse('the ZIP is damaged.');
  const start = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true);
  const packed = bytes.subarray(start, start + entry.size);
  if (packed.length !== entry.size) throw refuse('the ZIP is cut off.');
  if (entry.method === STORED) yield packed;
  else if (entry.method === DEFLATED) yield* inflate(packed, entry);
  else throw refuse(`${shortened(entry.name)} in the ZIP is compressed in an unknown way.`);
}

function* inflate(packed: Uint8Array, entry: Entry): Generator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const inflater = new Inflate((chunk) => chunks.push(chunk));
  for (let at = 0; at < packed.length; at += SLICE) {
    try {
      inflater.push(packed.subarray(at, at + SLICE), at + SLICE >= packed.length);
    } catch (cause) {
      throw damaged(entry, cause);
    }
    yield* chunks.splice(0);
  }
}

function damaged({ name }: Entry, cause?: unknown) {
  return refuse(`${shortened(name)} in the ZIP is damaged.`, { cause });
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
