import { readJson } from '../../contract/json/json.ts';
import { joinedPieces } from './text.ts';

/** JSON text without blanks between its tokens: one line, every number spelled as before. */
function compactJson(text: string): string {
  if (!/[\n\r\t ]/.test(text)) return text;
  return text.replace(/"(?:[^"\\]|\\.)*"|[\n\r\t ]+/g, (token) => (token.startsWith('"') ? token : ''));
}

/** One JSON value a line, in batches. */
export function renderNdjson(rows: Iterable<string>): Iterable<string> {
  return joinedPieces(jsonLines(rows));
}

function* jsonLines(rows: Iterable<string>): Generator<string> {
  for (const row of rows) yield `${compactJson(row)}\n`;
}

/** The body as it is, with exactly one newline at its end. */
export function renderJson(body: string): string {
  return `${body.trimEnd()}\n`;
}

/** The same value over many lines; numbers keep their spelling. A text that is no JSON stays as it is. */
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
