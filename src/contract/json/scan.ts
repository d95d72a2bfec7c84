import {
  asJsonText,
  type Json,
  type JsonObject,
  type JsonText,
  jsonEqual,
  MAX_JSON_DEPTH,
  parseObject,
  toJsonText,
} from './json.ts';

/** Finds where JSON values start and end by strings and brackets alone; callers parse the parts. */

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

const PLAIN = /^"[\w .-]*"$/;

/** One member of an object, or one item of an array (then `name` is empty): its value is `text.slice(start, end)`. */
export interface TextSpan {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The array that was opened on the way. */
  readonly items?: readonly TextSpan[];
}

/** Members or items of the value at `from`, and items of the array `opened`. Throws a SyntaxError for broken text or depth. */
export function memberSpans(text: string, from = 0, opened?: string): readonly TextSpan[] {
  return scan(text, from, { opened, depth: 1 }).spans;
}

/** The texts of some members, in the asked order, spelled as they stand. */
export function memberTexts(text: JsonText, names: readonly string[]): readonly (JsonText | undefined)[] {
  const spans = memberSpans(text);
  return names.map((name) => {
    const span = spans.findLast((one) => one.name === name);
    return span && asJsonText(text.slice(span.start, span.end));
  });
}

/** Where the value ends that begins at `from`. Throws a SyntaxError on broken text. */
export function valueEnd(text: string, from: number): number {
  return skipValue(text, from, 0);
}

/** The number of members of all objects of a JSON text; a repeated name counts each time. */
export function countMembers(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = skipString(text, at);
    if (text.charCodeAt(skipBlank(text, at)) === COLON) count += 1;
  }
  return count;
}

interface Scanned {
  readonly spans: readonly TextSpan[];
  /** Behind the closing bracket. */
  readonly end: number;
}

/** `depth` is that of the object or array itself. */
function scan(text: string, from: number, { opened, depth }: { opened: string | undefined; depth: number }): Scanned {
  let at = skipBlank(text, from);
  const first = text.charCodeAt(at);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) throw new SyntaxError('Expected an object or an array');
  const close = first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
  const spans: TextSpan[] = [];
  at = skipBlank(text, at + 1);
  if (text.charCodeAt(at) === close) return { spans, end: at + 1 };
  for (;;) {
    let name = '';
    if (first === OPEN_BRACE) {
      const end = skipString(text, at);
      name = nameOf(text.slice(at, end));
      at = skipBlank(text, end);
      if (text.charCodeAt(at) !== COLON) throw new SyntaxError('Expected a colon after a member name');
      at = skipBlank(text, at + 1);
    }
    const start = at;
    if (name === opened && text.charCodeAt(at) === OPEN_BRACKET) {
      const { spans: items, end } = scan(text, at, { opened: undefined, depth: depth + 1 });
      spans.push({ name, start, end, items });
      at = end;
    } else {
      at = skipValue(text, at, depth);
      spans.push({ name, start, end: at });
    }
    at = skipBlank(text, at);
    const next = text.charCodeAt(at);
    if (next === close) return { spans, end: at + 1 };
    if (next !== COMMA) throw new SyntaxError('Expected a comma or the end of the list');
    at = skipBlank(text, at + 1);
  }
}

/** Most names need no parsing: they have neither escapes nor what a string may not hold. */
function nameOf(quoted: string): string {
  return PLAIN.test(quoted) ? quoted.slice(1, -1) : JSON.parse(quoted);
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 10 || code === 13 || code === 9) at += 1;
    else return at;
  }
}

function skipString(text: string, from: number): number {
  if (text.charCodeAt(from) !== QUOTE) throw new SyntaxError('Expected a string');
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new SyntaxError('Unterminated string');
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function skipValue(text: string, from: number, outer: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return skipString(text, from);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return skipScalar(text, from);
  let depth = outer;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) throw new SyntaxError(`Nested deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === outer) return at + 1;
    }
    at += 1;
  }
  throw new SyntaxError('Unterminated value');
}

function skipScalar(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= 32) break;
    at += 1;
  }
  if (at === from) throw new SyntaxError('Expected a value');
  return at;
}

/** The text with each member once: the last counts, as for `JSON.parse`, but SQL would take the first. */
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
  // `for in` finds no inherited members here: values are parsed JSON, and nobody extends `Object.prototype`.
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

/** An object in the spelling of the others wherever values are equal, so `-150.0` stays; drops `undefined` members. */
export function spelledLike(
  members: Readonly<Record<string, unknown>>,
  others: readonly SpelledText[],
  last: Map<string, SpelledMember> = new Map(),
): JsonText {
  const spellings = others.map((other) => (typeof other === 'string' ? spellingIn(other) : other));
  let text = '';
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    let known = last.get(name);
    if (!known || !Object.is(known.value, value)) {
      known = { value, text: `${JSON.stringify(name)}:${spelled(name, value, spellings)}` };
      last.set(name, known);
    }
    text += text === '' ? known.text : `,${known.text}`;
  }
  return asJsonText(`{${text}}`);
}

/** A member with its name, as it was spelled. */
export interface SpelledMember {
  readonly value: unknown;
  readonly text: string;
}

/** The members of a text, each with its spelling. */
export type Spelling = ReadonlyMap<string, { readonly text: string; readonly value: unknown }>;

type SpelledText = string | Spelling;

function spelled(name: string, value: unknown, spellings: readonly Spelling[]): string {
  for (const spelling of spellings) {
    const own = spelling.get(name);
    if (own && jsonEqual(own.value, value)) return own.text;
  }
  return toJsonText(value);
}

/** `parsed` is the value of the text, for whoever has it: its members are then the very same objects. */
export function spellingIn(whole: string, parsed: JsonObject = parseObject(whole)): Spelling {
  const spans = memberSpans(whole).map(({ name, start, end }) => [name, whole.slice(start, end)] as const);
  return new Map(spans.map(([name, text]) => [name, { text, value: parsed[name] }]));
}
