import { isJsonObject, type Json, parseJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { HeaderPairs } from './delivery-headers.ts';
import { readHeaderRows } from './header-rows.ts';
import type { ReceivedDelivery } from './verify.ts';

/**
 * Reads headers saved one a line, as `curl -i` and most receivers write them; request and status lines are passed over.
 * @throws MacroError of kind `usage`.
 */
export function readHeaderLines(text: string, file: string): HeaderPairs {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^([A-Z]+ \S+ )?HTTP\/\d/.test(line));
  const odd = lines.find((line) => !/^[^\s:]+\s*:/.test(line));
  if (odd !== undefined)
    throw new MacroError('usage', `${file} holds a line that is no header: ${odd.slice(0, 60)}`, {
      code: 'bad_headers_file',
      hint: 'Save them one a line, as in X-SVC-Timestamp: 1791981003; a JSON object of names and values is read too, and what macro webhooks sign prints as tsv, csv or json.',
    });
  return lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]);
}

/**
 * Headers one a line, as rows of this program, or as a JSON object, the form in which many frameworks log them; there a list is
 * a header that came more than once.
 * @throws MacroError of kind `usage`.
 */
export function readHeaders(text: string, file: string): HeaderPairs {
  const rows = readHeaderRows(text);
  if (rows) return rows;
  const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  if (!isJsonObject(value)) return readHeaderLines(text, file);
  return Object.entries(value).flatMap(([name, stored]) =>
    (Array.isArray(stored) ? stored : [stored]).map((one: Json) => [name, String(one)] as const),
  );
}

/**
 * The posted request of an HTTP archive (HAR 1.2) that carries a signature; `number` chooses among several, from 1.
 * @throws MacroError of kind `usage`.
 */
export function readHar(text: string, file: string, number: number | undefined): ReceivedDelivery {
  const har = parseJson(text);
  const log = isJsonObject(har) && isJsonObject(har.log) ? har.log : har;
  const entries = isJsonObject(log) && Array.isArray(log.entries) ? log.entries : [log];
  const found = entries.flatMap((entry: Json | undefined) => deliveryIn(entry));
  const chosen = number === undefined && found.length === 1 ? found[0] : found[(number ?? 0) - 1];
  if (chosen) return chosen;
  const count = found.length === 0 ? 'holds no signed delivery' : `holds ${found.length} signed deliveries`;
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
