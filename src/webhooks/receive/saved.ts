import { isJsonObject, type Json, parseJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { HeaderPairs } from './delivery-headers.ts';
import type { ReceivedDelivery } from './verify.ts';

/** The separators of lines of values, by the first line of them. */
const SEPARATORS: Readonly<Record<string, string>> = { 'header\tvalue': '\t', 'header,value': ',' };

/** Reads header lines, as of `curl -i`, without request and status lines. @throws MacroError of kind `usage`. */
function readHeaderLines(text: string, file: string): HeaderPairs {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^([A-Z]+ \S+ )?HTTP\/\d/.test(line));
  const odd = lines.find((line) => !/^[^\s:]+\s*:/.test(line));
  if (odd !== undefined)
    throw new MacroError('usage', `${file} has a line that is no header: ${odd.slice(0, 60)}`, {
      code: 'bad_headers_file',
      hint: 'Save one header a line, such as X-SVC-Timestamp: 1791981003. A JSON object of names and values works too, and so does the output of macro webhooks sign.',
    });
  return lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]);
}

/** Headers as lines, rows of this program, or a JSON object with lists. @throws MacroError of kind `usage`. */
export function readHeaders(text: string, file: string): HeaderPairs {
  const rows = readHeaderRows(text);
  if (rows) return rows;
  const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  if (!isJsonObject(value)) return readHeaderLines(text, file);
  return Object.entries(value).flatMap(([name, stored]) =>
    (Array.isArray(stored) ? stored : [stored]).map((one: Json) => [name, String(one)] as const),
  );
}

/** A signed request of an HTTP archive (HAR 1.2), `number` from 1. @throws MacroError of kind `usage`. */
export function readHar(text: string, file: string, number: number | undefined): ReceivedDelivery {
  const har = parseJson(text);
  const log = isJsonObject(har) && isJsonObject(har.log) ? har.log : har;
  const entries = isJsonObject(log) && Array.isArray(log.entries) ? log.entries : [log];
  const found = entries.flatMap((entry: Json | undefined) => deliveryIn(entry));
  const chosen = number === undefined && found.length === 1 ? found[0] : found[(number ?? 0) - 1];
  if (chosen) return chosen;
  const count = found.length === 0 ? 'has no signed delivery' : `has ${found.length} signed deliveries`;
  throw new MacroError('usage', `${file} ${count}.`, {
    code: 'bad_har_file',
    hint:
      found.length === 0
        ? 'Save the request with its headers and its body (postData.text).'
        : `Say which one: --entry 1 to ${found.length}.`,
  });
}

function deliveryIn(entry: Json | undefined): readonly ReceivedDelivery[] {
  const request = isJsonObject(entry) ? entry.request : undefined;
  if (!isJsonObject(request) || !Array.isArray(request.headers)) return [];
  const headers = request.headers.flatMap((one: Json) =>
    isJsonObject(one) && typeof one.name === 'string' && typeof one.value === 'string'
      ? [[one.name, one.value] as const]
      : [],
  );
  const data = request.postData;
  if (!isJsonObject(data) || typeof data.text !== 'string') return [];
  if (!headers.some(([name]) => name.toLowerCase().endsWith('-signature'))) return [];
  return [{ headers, body: Buffer.from(data.text, data.encoding === 'base64' ? 'base64' : 'utf8') }];
}

/** Headers as rows of `header` and `value` in JSON, JSON lines or tables; undefined for other texts. */
function readHeaderRows(text: string): HeaderPairs | undefined {
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

/**
 * A delivery of a curl command with `-H` and `--data-raw`, `--data-binary` or `-d`.
 * @throws MacroError of kind `usage`.
 */
export function readCurl(text: string, file: string): ReceivedDelivery {
  const words = shellWords(text);
  const headers: (readonly [string, string])[] = [];
  let body: string | undefined;
  for (const [i, word] of words.entries()) {
    const next = words[i + 1] ?? '';
    if (word === '-H' || word === '--header') headers.push(...readHeaderLines(next, file));
    if (/^(-d|--data(-raw|-binary|-ascii)?)$/.test(word)) body = body === undefined ? next : `${body}&${next}`;
  }
  if (words[0]?.endsWith('curl') && body !== undefined && !body.startsWith('@'))
    return { headers, body: Buffer.from(body) };
  throw new MacroError('usage', `${file} is no curl command with a body in it.`, {
    code: 'bad_curl_file',
    hint: "It looks like: curl https://... -H 'X-SVC-Timestamp: 1791981003' ... --data-raw '{...}'",
  });
}

/** Words as a POSIX shell splits them, with the quotes '...', "..." and $'...'. */
function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  const token =
    /\\\r?\n|\s+|\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\$]+|\$)/g;
  for (const [whole, escaped, single, double, one, plain] of text.matchAll(token)) {
    const part =
      escaped !== undefined ? plainOf(escaped) : (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? one ?? plain);
    if (part !== undefined) word = (word ?? '') + part;
    else if (!whole.startsWith('\\')) {
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function plainOf(text: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, unicode, hex, one) =>
    one === undefined ? String.fromCharCode(Number.parseInt(unicode ?? hex, 16)) : (named[one] ?? one),
  );
}
