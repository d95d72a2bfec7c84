import { type RowMembers, valueAt } from '../../contract/json/body.ts';
import { readJson } from '../../contract/json/json.ts';
import { valueEnd } from '../../contract/json/scan.ts';
import { createPiece } from './piece.ts';

/** JSON text without blanks between its tokens: one line, every number spelled as before. */
function compactJson(text: string): string {
  if (!/[\n\r\t ]/.test(text) || isCompact(text)) return text;
  return text.replace(/"(?:[^"\\]|\\.)*"|[\n\r\t ]+/g, (token) => (token.startsWith('"') ? token : ''));
}

/** True where all blanks stand inside of strings, as in most rows that have any. */
function isCompact(text: string): boolean {
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    for (; at < end; at += 1) if (text.charCodeAt(at) <= BLANK) return false;
    if (quote < 0) return true;
    at = valueEnd(text, quote);
  }
}

/** The blank; the other characters that JSON lets stand between its tokens come before it. */
const BLANK = 32;

/** One JSON value a line, in pieces. Rows that are made here have no blanks between their tokens. */
export function* renderNdjson(rows: Iterable<string | RowMembers>): Generator<Uint8Array> {
  const piece = createPiece();
  let shape: readonly string[] | undefined;
  let marks: readonly string[] = [];
  for (const row of rows) {
    if (typeof row === 'string') piece.text(compactJson(row));
    else {
      if (row.names !== shape) marks = row.names.map((name, place) => `${place === 0 ? '{' : ','}"${name}":`);
      shape = row.names;
      for (let place = 0; place < marks.length; place += 1) {
        piece.text(marks[place] ?? '');
        piece.text(valueAt(row, place) ?? '');
      }
      piece.text(marks.length === 0 ? '{}' : '}');
    }
    piece.text('\n');
    if (piece.isFull()) yield piece.take();
  }
  const last = piece.take();
  if (last.length > 0) yield last;
}

/** The body as it is, with exactly one newline at its end. */
export function renderJson(body: string): string {
  return `${body.trimEnd()}\n`;
}

/** The same value over many lines; numbers keep their spelling. What is no JSON stays as it is. */
export function indentJson(text: string): string {
  try {
    readJson(text);
  } catch {
    return text;
  }
  let depth = 0;
  const lineBreak = () => `\n${'  '.repeat(depth)}`;
  return compactJson(text).replace(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') {
      depth += 1;
      return `${token}${lineBreak()}`;
    }
    if (token === '}' || token === ']') {
      depth -= 1;
      return `${lineBreak()}${token}`;
    }
    if (token === ',') return `,${lineBreak()}`;
    return token === ':' ? ': ' : token;
  });
}
