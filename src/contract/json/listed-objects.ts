import { isJsonObject, type Json } from './json.ts';
import { MAX_JSON_DEPTH } from './json-depth.ts';

/**
 * How many objects each item of a list is made of, itself included; undefined where this does not tell the end of an item in
 * `text`, the JSON text of `body`, in which the list stands. It does where the text has as many closing braces as the value
 * has objects: then no brace stands in a string, and no member twice that holds an object.
 */
export function objectCounts(text: string, body: Json, list: Json | undefined): readonly number[] | undefined {
  if (!Array.isArray(list) || !list.every(isJsonObject)) return undefined;
  const counts = list.map((item) => objectsIn(item, 3));
  const inList = counts.reduce((sum, count) => sum + count, 0);
  const beside = objectsBeside(body, list);
  return closingBraces(text) === inList + beside ? counts : undefined;
}

/** The body itself is one of them. */
function objectsBeside(body: Json, list: Json): number {
  if (!isJsonObject(body)) return Number.NaN;
  return Object.values(body).reduce((sum: number, value) => sum + (value === list ? 0 : objectsIn(value, 2)), 1);
}

/** Not a number for a value that lies too deep, whatever it holds. */
function objectsIn(value: Json, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_JSON_DEPTH) return Number.NaN;
  let count = 0;
  if (isList(value)) for (const item of value) count += objectsIn(item, depth + 1);
  else {
    count = 1;
    // Parsed JSON has no members but its own. Every member of every row is looked at, and most are no objects.
    for (const name in value) {
      const member = value[name];
      if (typeof member === 'object') count += objectsIn(member, depth + 1);
    }
  }
  return count;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);

function closingBraces(text: string): number {
  let count = 0;
  for (let at = text.indexOf('}'); at >= 0; at = text.indexOf('}', at + 1)) count += 1;
  return count;
}
