import { asJsonText, type Json, type JsonText } from './json.ts';
import { countMembers, memberSpans } from './scan.ts';

/**
 * The text with each member once in its object, at every depth; the last value counts, as for `JSON.parse`. Readers differ
 * over a member that stands twice: SQL takes the first one. A text without one stays exactly as it is.
 */
export function singleMembers(text: JsonText, value: Json): JsonText {
  const members = membersOf(value);
  // Each member has a colon: where there are no more colons than members, none stands twice, and no string need be looked at.
  if (countColons(text) === members || countMembers(text) === members) return text;
  return asJsonText(rewrite(text.trim()));
}

function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

function membersOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (isList(value)) for (const one of value) count += membersOf(one);
  // What `for in` finds beyond own members is nothing here: values are parsed JSON, and nobody extends `Object.prototype`.
  else for (const name in value) count += 1 + membersOf(value[name] ?? null);
  return count;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);

function rewrite(text: string): string {
  const isObject = text.startsWith('{');
  if (!isObject && !text.startsWith('[')) return text;
  const parts = memberSpans(text).map(({ name, start, end }) => ({ name, value: rewrite(text.slice(start, end)) }));
  if (!isObject) return `[${parts.map(({ value }) => value).join(',')}]`;
  const last = new Map(parts.map(({ name, value }) => [name, value]));
  return `{${[...last].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
