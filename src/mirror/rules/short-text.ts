/** Texts of rows without what most of them say in the same words: how they are shortened and, in two ways, made whole. */
import type { ShortText, Words } from '../../contract/mapping.ts';
import type { KeyValue } from '../api/series.ts';
import { quote, type Table } from './tables.ts';

/** The first characters of shortened texts: no JSON text begins with or contains them. */
const HEAD_LEFT_OUT = '\u0001';
const PIECES_LEFT_OUT = '\u0002';
const FIRST_PIECE = 3;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a text with one of them stays whole
const HAS_CODE = /[\u0001-\u0008]/;

/** Shortens texts before they go into a table; a text with other spelling stays whole. */
export function shortener({ shortText, key }: Table): (key: readonly KeyValue[], text: string) => string {
  if (!shortText) return (_, text) => text;
  const place = key.findIndex(({ name }) => name === shortText.key);
  const { head } = shortText;
  const pieces = codedPieces(shortText);
  return (of, text) => {
    const value = String(of[place]);
    const beginning = head.join(value);
    if (!text.startsWith(beginning) || HAS_CODE.test(text)) return text;
    let from = beginning.length;
    let left = '';
    for (const { code, words } of pieces) {
      const piece = words.join(value);
      const at = text.indexOf(piece, from);
      if (at < 0) continue;
      left += text.slice(from, at) + code;
      from = at + piece.length;
    }
    // Searching for more parts takes longer than reading a text without any.
    return (left === '' ? HEAD_LEFT_OUT : PIECES_LEFT_OUT + left) + text.slice(from);
  };
}

/** Makes texts of a table whole. `key` is that of the row. */
export function lengthener({ shortText, key }: Table): (key: readonly (KeyValue | null)[], text: string) => string {
  if (!shortText) return (_, text) => text;
  const place = key.findIndex(({ name }) => name === shortText.key);
  const pieces = codedPieces(shortText);
  return (of, text) => {
    if (text.charCodeAt(0) >= FIRST_PIECE) return text;
    const value = String(of[place]);
    const head = shortText.head.join(value);
    if (text < PIECES_LEFT_OUT) return head + text.slice(1);
    let whole = head;
    let from = 1;
    for (const { code, words } of pieces) {
      const at = text.indexOf(code, from);
      if (at < 0) continue;
      whole += text.slice(from, at) + words.join(value);
      from = at + 1;
    }
    return whole + text.slice(from);
  };
}

/** Codes behind these are a tab, a line break and others that a JSON text may have. */
const MAX_PIECES = 6;

function codedPieces({ pieces }: ShortText): readonly { readonly code: string; readonly words: Words }[] {
  if (pieces.length > MAX_PIECES) throw new Error(`at most ${MAX_PIECES} parts of a text can be left out`);
  return pieces.map((words, i) => ({ code: String.fromCharCode(FIRST_PIECE + i), words }));
}

/** SQL of the whole text of a row of table `rows`, for views and single rows; pages use `lengthener`, twice as fast. */
export function wholeText({ shortText }: Pick<Table, 'shortText'>, rows?: string): string {
  const of = (name: string) => (rows === undefined ? name : `${rows}.${name}`);
  const text = of('text');
  if (!shortText) return text;
  const spelled = (words: Words) =>
    words.map((word) => `'${word.replaceAll("'", "''")}'`).join(` || ${of(quote(shortText.key))} || `);
  const rest = `substr(${text}, 2)`;
  const whole = shortText.pieces.reduce(
    (sql, words, i) => `replace(${sql}, char(${FIRST_PIECE + i}), ${spelled(words)})`,
    rest,
  );
  return `case when ${text} >= char(${FIRST_PIECE}) then ${text}
    when ${text} >= char(${PIECES_LEFT_OUT.charCodeAt(0)}) then ${spelled(shortText.head)} || ${whole}
    else ${spelled(shortText.head)} || ${rest} end`;
}
