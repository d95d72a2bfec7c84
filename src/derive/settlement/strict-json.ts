import { isJsonObject, type Json, type JsonObject, readJson } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import { compare, decimalOf, parseDecimal } from '../decimal.ts';

/**
 * Parses the text of an object that somebody vouches for. What two readers could take differently is refused, because
 * the canonical form would hide the difference: a member named twice, a number with more digits than a double keeps.
 * Throws a SyntaxError for what is no JSON object and a RangeError for what is ambiguous.
 */
export function parseStrictly(text: string): JsonObject {
  const value: Json = readJson(text);
  if (!isJsonObject(value)) throw new SyntaxError('Expected an object');
  refuseAmbiguous(text);
  return value;
}

function refuseAmbiguous(text: string): void {
  const first = text.trimStart()[0] ?? '';
  if (first === '{' || first === '[') refuseInside(text, first === '{');
  else if (/[-\d]/.test(first)) refuseLongNumber(text.trim());
}

function refuseInside(text: string, named: boolean): void {
  const seen = new Set<string>();
  for (const { name, start, end } of memberSpans(text)) {
    if (named && seen.has(name)) throw new RangeError(`The member ${JSON.stringify(name)} stands there twice`);
    seen.add(name);
    refuseAmbiguous(text.slice(start, end));
  }
}

function refuseLongNumber(spelling: string): void {
  if (!isKeptByReaders(spelling))
    throw new RangeError(`The number ${spelling.slice(0, 40)} has more digits than JSON readers keep`);
}

/** True for the spelling of a number that every JSON reader keeps digit by digit: no integer beyond 2^53, no long fraction. */
export function isKeptByReaders(spelling: string): boolean {
  const value = decimalOf(Number(spelling));
  // An exponent of a few hundred already leaves the range of a double; a longer one would only cost time.
  const exact = spelling.length <= 330 && !/e[+-]?\d{4}/i.test(spelling) ? parseDecimal(spelling) : undefined;
  const kept = value !== undefined && exact !== undefined && compare(value, exact) === 0;
  return kept && (!/^-?\d+$/.test(spelling) || Number.isSafeInteger(Number(spelling)));
}
