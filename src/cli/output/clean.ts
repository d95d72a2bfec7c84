/**
 * Remote text is hostile: an escape sequence in a publisher's name could repaint a terminal, a bidi mark could turn a
 * number around, a formula could run in a sheet. Everything that is printed as text passes through here.
 */

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

/** The longest word that a message repeats whole; what was typed or received may have any length. */
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

/** Nothing, a number, or a date with or without a time: most cells, which are what they are in every sheet. */
const PLAIN_CELL = /^(?:\d[\dT:Z.-]*|-\d+(?:\.\d+)?)?$/;

/** True for a text that is clean, no formula, and in need of no quotes. */
export function isPlainCell(text: string): boolean {
  return isDecimal(text) || PLAIN_CELL.test(text);
}

const MINUS = 45;
const POINT = 46;

/** True for digits with at most one point behind the first of them, and a minus before: what most cells are, found out quickly. */
function isDecimal(text: string): boolean {
  let at = text.charCodeAt(0) === MINUS ? 1 : 0;
  if (!isDigit(text.charCodeAt(at))) return false;
  for (let points = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT && points === 0) points = 1;
    else if (!isDigit(code)) return false;
  }
  return true;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Clean text as a cell that no sheet takes for a formula, for formats that sheets open. What is cleaned away cannot hide a
 * sign: the test is on what is written.
 */
export function inertCell(text: string): string {
  const clean = cleanText(text);
  return !PLAIN_NUMBER.test(clean) && FORMULA_START.test(clean) ? `'${clean}` : clean;
}

/** JSON text with control and bidi characters spelled as escapes; the value stays the same. For terminals only. */
export function escapeJson(text: string): string {
  // Outside of strings JSON knows tab, newline and carriage return; inside, a raw control is no JSON anyway.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
  return text.replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
