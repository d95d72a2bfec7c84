import { floatText } from '../../contract/json/json.ts';

/** Bytes of a piece, about: few writes are made, and little is held. */
const PIECE_BYTES = 65_536;
/** What a character takes at most. */
const MAX_CHARACTER_BYTES = 3;
/** Longer texts are spelled by the engine. */
const SHORT_TEXT = 48;

const MILLION = 1_000_000;
/** So many millionths have fifteen digits at most. */
const MAX_UNITS = 1e15;

const [MINUS, POINT, ZERO] = [45, 46, 48];
const ASCII_END = 128;

/** A part of a long text on its way out, put together as the bytes that are written: nothing is made for each cell. */
export interface Piece {
  text(text: string): void;
  /** A finite number as `floatText` spells it; nothing for one that is none. */
  number(value: number): void;
  isFull(): boolean;
  /** What was put together since the last time, as UTF-8. */
  take(): Uint8Array;
}

/** The text of pieces, some of them the bytes that they are written as. */
export function joinedText(pieces: Iterable<string | Uint8Array>): string {
  return Array.from(pieces, (piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString())).join('');
}

export function createPiece(): Piece {
  let bytes = Buffer.allocUnsafe(PIECE_BYTES * 2);
  let length = 0;
  let long = '';
  let longBytes = Buffer.from(long);

  function makeRoom(more: number): void {
    if (length + more <= bytes.length) return;
    const larger = Buffer.allocUnsafe((length + more) * 2);
    bytes.copy(larger, 0, 0, length);
    bytes = larger;
  }

  function text(added: string): void {
    makeRoom(added.length * MAX_CHARACTER_BYTES);
    if (added.length <= SHORT_TEXT) {
      const before = length;
      for (let at = 0; at < added.length; at += 1) {
        const code = added.charCodeAt(at);
        if (code >= ASCII_END) {
          length = before + bytes.write(added, before);
          return;
        }
        bytes[length] = code;
        length += 1;
      }
      return;
    }
    // What rows say of their source is mostly what the row before said.
    if (added !== long) {
      long = added;
      longBytes = Buffer.from(added);
    }
    bytes.set(longBytes, length);
    length += longBytes.length;
  }

  function number(value: number): void {
    if (Number.isNaN(value)) return;
    const size = Math.abs(value);
    const units = Math.round(size * MILLION);
    // A decimal of at most 15 digits is the shortest text of the double nearest to it.
    if (!(units < MAX_UNITS) || units / MILLION !== size) {
      text(floatText(value));
      return;
    }
    makeRoom(MAX_NUMBER_BYTES);
    if (value < 0) {
      bytes[length] = MINUS;
      length += 1;
    }
    const whole = Math.floor(size);
    putWhole(whole);
    bytes[length] = POINT;
    putPart(units - whole * MILLION);
  }

  function putWhole(whole: number): void {
    let digits = 1;
    for (let power = 10; power <= whole; power *= 10) digits += 1;
    let rest = whole;
    for (let at = length + digits - 1; at >= length; at -= 1) {
      const next = Math.floor(rest / 10);
      bytes[at] = ZERO + rest - next * 10;
      rest = next;
    }
    length += digits;
  }

  /** The millionths behind the point, without zeros at their end, but at least one digit. */
  function putPart(part: number): void {
    let rest = part;
    let last = 1;
    for (let at = 6; at >= 1; at -= 1) {
      const next = (rest / 10) | 0;
      const digit = rest - next * 10;
      bytes[length + at] = ZERO + digit;
      if (digit > 0 && last < at) last = at;
      rest = next;
    }
    length += last + 1;
  }

  return {
    text,
    number,
    isFull: () => length >= PIECE_BYTES,
    take() {
      const taken = Buffer.from(bytes.subarray(0, length));
      length = 0;
      return taken;
    },
  };
}

/** A sign, ten digits, the point and six digits, with room to spare. */
const MAX_NUMBER_BYTES = 24;
