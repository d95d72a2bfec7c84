import { randomBytes } from 'node:crypto';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isZip, onlyFileIn, unzipPieces } from '../../src/imports/read/unzip.ts';

const text = new TextEncoder().encode('Date,USD\n2026-04-13,1.1684\n'.repeat(50));
const bytesAt = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const unzipOnly = (bytes: Uint8Array, endings: readonly string[]) =>
  new Uint8Array(Buffer.concat([...unzipPieces(bytes, onlyFileIn(bytes, endings))]));

/** Place of a record with this signature. */
function find(bytes: Uint8Array, signature: number): number {
  const view = bytesAt(bytes);
  for (let at = 0; at + 4 <= bytes.length; at += 1) if (view.getUint32(at, true) === signature) return at;
  throw new Error('no such record');
}

const DIRECTORY = 0x02014b50;

/** `the same` when the ZIP still gives the text, for a flip may hit a bit that says nothing; else why it is refused. */
function outcome(zip: Uint8Array): string {
  try {
    return Buffer.from(unzipOnly(zip, ['.csv'])).equals(text) ? 'the same' : 'another text';
  } catch (error) {
    return String(error);
  }
}

describe('a ZIP', () => {
  it('is known by its first bytes', () => {
    expect(isZip(zipSync({ 'a.csv': text }))).toBe(true);
    expect(isZip(zipSync({}))).toBe(true);
    expect(isZip(text)).toBe(false);
    expect(isZip(new Uint8Array())).toBe(false);
  });

  it.each([0, 6] as const)('gives its one file back, packed with level %i', (level) => {
    expect(unzipOnly(zipSync({ 'a.csv': text }, { level }), ['.csv'])).toEqual(text);
  });

  it('may hold other files, folders and the shadows that a Mac adds', () => {
    const zip = zipSync({ 'read.me': text, 'in/A.CSV': text, '__MACOSX/in/._A.CSV': text, '.b.csv': text });
    expect(unzipOnly(zip, ['.csv'])).toEqual(text);
  });

  it('may end with a comment', () => {
    const zip = zipSync({ 'a.csv': text }, { comment: 'x'.repeat(300) });
    const commented = new Uint8Array([...zip, ...new Uint8Array(300)]);
    expect(unzipOnly(commented, ['.csv'])).toEqual(text);
  });

  it('larger than one slice of work is put together again', () => {
    const noise = new Uint8Array(randomBytes(300_000));
    expect(unzipOnly(zipSync({ 'a.csv': noise }), ['.csv'])).toEqual(noise);
  });
});

describe('a ZIP that cannot be used', () => {
  const zip = zipSync({ 'a.csv': text });

  it('holds no CSV', () => {
    expect(() => unzipOnly(zipSync({ 'a.txt': text }), ['.csv'])).toThrow('has no file that ends in .csv');
    expect(() => unzipOnly(zipSync({}), ['.csv'])).toThrow('has no file that ends in .csv');
  });

  it('holds several', () => {
    expect(() => unzipOnly(zipSync({ 'a.csv': text, 'b.csv': text }), ['.csv'])).toThrow(
      'has several files that end in .csv: a.csv, b.csv',
    );
  });

  it('is cut off anywhere', () => {
    for (let length = 4; length < zip.length; length += 7)
      expect(() => unzipOnly(zip.slice(0, length), ['.csv'])).toThrow('the ZIP is cut off');
  });

  it('has a flipped byte in its content that changes what comes out', () => {
    const start = 30 + 'a.csv'.length;
    for (let at = start; at < find(zip, DIRECTORY); at += 1) {
      const flipped = zip.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      expect(outcome(flipped)).toMatch(/^(the same|.* is damaged\.)$/);
    }
    const middle = zip.slice();
    middle[60] = (middle[60] ?? 0) ^ 0x10;
    expect(outcome(middle)).toMatch(/is damaged/);
  });

  it('has a directory that points nowhere', () => {
    const broken = zip.slice();
    bytesAt(broken).setUint32(find(broken, DIRECTORY) + 42, 0xfffffff0, true);
    expect(() => unzipOnly(broken, ['.csv'])).toThrow('is damaged');
  });

  it('is encrypted', () => {
    const locked = zip.slice();
    bytesAt(locked).setUint16(find(locked, DIRECTORY) + 8, 1, true);
    expect(() => unzipOnly(locked, ['.csv'])).toThrow('is encrypted');
  });

  it('claims more than a file of data grows to', () => {
    const bomb = zipSync({ 'a.csv': new Uint8Array(20_000_000) });
    expect(() => unzipOnly(bomb, ['.csv'])).toThrow(/^The file .* the ZIP has \d+ bytes and unpacks to 20000000/);
  });

  it('grows beyond what it claims', () => {
    const bomb = zipSync({ 'a.csv': new Uint8Array(20_000_000) });
    bytesAt(bomb).setUint32(find(bomb, DIRECTORY) + 24, 10, true);
    expect(() => unzipOnly(bomb, ['.csv'])).toThrow('a.csv in the ZIP is damaged');
  });

  it('has one part that is claimed by many files', () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}.bin`, new Uint8Array(100_000)]));
    expect(() => unzipOnly(zipSync(files), ['.csv'])).toThrow('unpacks to 30000000');
  });

  it('holds so many files that a message cannot name them', () => {
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.csv`, text]));
    expect(() => unzipOnly(zipSync(names(100)), ['.csv'])).toThrow(
      '0.csv, 1.csv, 2.csv, 3.csv, 4.csv, 5.csv, 6.csv, 7.csv and 92 more',
    );
    expect(() => unzipOnly(zipSync(names(10_001), { level: 0 }), ['.csv'])).toThrow('the ZIP has 10001 files');
  });
});
