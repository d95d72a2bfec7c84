import { isJsonObject, type Json, parseJson } from '../../contract/json/json.ts';
import type { HeaderPairs } from './delivery-headers.ts';

/** The separators of lines of values, by the first line of them. */
const SEPARATORS: Readonly<Record<string, string>> = { 'header\tvalue': '\t', 'header,value': ',' };

/**
 * Headers as rows of two members, `header` and `value`, which is how this program prints them: in JSON, as lines of JSON, and
 * as lines of values under their names. Undefined for any other text.
 */
export function readHeaderRows(text: string): HeaderPairs | undefined {
  return text.trimStart().startsWith('{') ? rowsInJson(text) : rowsInLines(text);
}

function rowsInJson(text: string): HeaderPairs | undefined {
  const whole = parseJson(text);
  if (whole === null) return pairsOf(linesOf(text).map(parseJson));
  return isJsonObject(whole) && Array.isArray(whole.data) ? pairsOf(whole.data) : undefined;
}

/** Undefined where one of them is something else. */
function pairsOf(rows: readonly Json[]): HeaderPairs | undefined {
  const pairs = rows.flatMap((row) =>
    isJsonObject(row) && typeof row.header === 'string' && typeof row.value === 'string'
      ? [[row.header, row.value] as const]
      : [],
  );
  return pairs.length > 0 && pairs.length === rows.length ? pairs : undefined;
}

function rowsInLines(text: string): HeaderPairs | undefined {
  const [first = '', ...lines] = linesOf(text);
  const separator = SEPARATORS[first];
  return separator === undefined ? undefined : lines.map((line) => pairIn(line, separator));
}

function pairIn(line: string, separator: string): readonly [name: string, value: string] {
  const end = line.indexOf(separator);
  if (end < 0) return [line, ''];
  const value = line.slice(end + 1);
  const quoted = separator === ',' ? /^"(.*)"$/s.exec(value)?.[1] : undefined;
  return [line.slice(0, end), quoted === undefined ? value : quoted.replaceAll('""', '"')];
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}
