// Remote text is hostile: an escape sequence could repaint a terminal, a bidi mark turn a number around, a formula run
// in a sheet. Everything that is printed as text passes through here.
import { stripVTControlCharacters } from 'node:util';

/** Columns that a text is made for where no terminal says how many it has. */
export const PLAIN_COLUMNS = 100;

/** Characters of a chunk, about: few writes, and little memory. */
const PIECE_CHARACTERS = 65_536;

/** C0, DEL and C1 controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
/** Marks that reorder text, and the invisible byte order mark. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** Characters that end a line somewhere. */
const BREAKS = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;

/** One line of harmless text: breaks become a blank, control and bidi characters go. */
export function cleanText(text: string): string {
  return text.replace(BREAKS, ' ').replace(CONTROLS, '').replace(BIDI, '').toWellFormed();
}

/** The max length of a word that a message repeats whole; typed or received words may have any length. */
const MAX_WORD_CHARACTERS = 1000;
const BEGINNING = 80;
const LONG_WORD = new RegExp(`\\S{${MAX_WORD_CHARACTERS + 1},}`, 'g');

/** A text in which each endless word is cut to its beginning and tells its length. */
export function cutWords(text: string): string {
  return text.replace(LONG_WORD, (run) => {
    const [, before = '', word = '', after = ''] = /^(['"]?)(.*?)(['"]?[.,:;?]?)$/.exec(run) ?? [];
    return `${before}${word.slice(0, BEGINNING).toWellFormed()}… (${word.length} characters)${after}`;
  });
}

const PLAIN_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Blanks and invisible characters before a sign hide it from people, not from every sheet. The full-width signs count in some. */
const FORMULA_START = /^[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** A clean text that needs no quotes and is no formula: nothing, a number, a date or time. */
const PLAIN_CELL = /^(?:\d[\dT:Z.-]*|-\d+\.?\d*|)$/;

export const isPlainCell = (text: string): boolean => PLAIN_CELL.test(text);

/** Clean text as a cell that no sheet reads as a formula; the test is on the written text. */
export function inertCell(text: string): string {
  const clean = cleanText(text);
  // Most cells begin with a letter or a digit, which are no sign.
  if (/^[a-z\d]/i.test(clean)) return clean;
  return !PLAIN_NUMBER.test(clean) && FORMULA_START.test(clean) ? `'${clean}` : clean;
}

/** JSON text with control and bidi characters spelled as escapes; the value stays the same. For terminals only. */
export function escapeJson(text: string): string {
  // JSON allows tabs and line breaks outside of strings, and no raw control inside.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
  return text.replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A word as a shell of the Bourne family reads it. */
export const shellWord = (word: string): string =>
  /^[\w.,:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A whole number with its thousands apart. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** The first of these names in one line, and how many more there are. */
export function namesText(names: readonly string[], most = 3): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Lines of at most `width` characters, broken between words. A longer word stays whole: half an address is none. */
export function wrapWords(text: string, width: number): readonly string[] {
  return wrapPieces(text.split(' '), ' ', width);
}

/** The same over parts with a separator between them; a part that is longer than a line is broken at its words. Colours have no width. */
export function wrapPieces(pieces: readonly string[], between: string, width: number): readonly string[] {
  const lines: string[] = [];
  const isLonger = (text: string) => text.length > width && stripVTControlCharacters(text).length > width;
  for (const piece of pieces) {
    const last = lines.at(-1);
    const joined = last === undefined ? piece : `${last}${between}${piece}`;
    if (lines.length === 0 || isLonger(joined))
      lines.push(...(isLonger(piece) && piece.includes(' ') ? wrapWords(piece, width) : [piece]));
    else lines[lines.length - 1] = joined;
  }
  return lines;
}

/** A long text on its way out, put together of short ones. */
export function* joinedPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
