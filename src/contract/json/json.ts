/** A parsed JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

declare const brand: unique symbol;
/** The text of one JSON value, spelled exactly as it was received or computed. */
export type JsonText = string & { readonly [brand]: 'json' };
/** Texts of the whole numbers below a thousand, as the digits behind a point. */
interface Digits {
  /** Three digits wide. */
  readonly wide: readonly string[];
  /** Without zeros at their end, but for nought itself. */
  readonly trimmed: readonly string[];
}

/** Made by the first number that is spelled from its millionths: most commands spell none. */
let digits: Digits | undefined;

const MILLION = 1_000_000;

/** So many millionths have ten digits at most, and fit the engine's small whole numbers. */
const MOST_UNITS = 2_000_000_000;
/** Deepest nesting of objects and arrays that is read; see docs/interface.md#safety-of-clients. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 34;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Marks a text as JSON at a border where that is known: cut out of a body, read from the mirror. */
export function asJsonText(text: string): JsonText {
  return text as JsonText; // the one place that brands
}

/** JSON text of a value computed here. `undefined` members are left out, as null optional fields are on the wire. */
export function toJsonText(value: unknown): JsonText {
  return asJsonText(JSON.stringify(value));
}

/** An object of members that are JSON text already; those without one are left out. */
export function objectText(members: Iterable<readonly [name: string, text: string | undefined]>): JsonText {
  const present = Array.from(members).filter(([, text]) => text !== undefined);
  return asJsonText(`{${present.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
}

/** The value of a text of at most `MAX_JSON_DEPTH`: a deeper one would end the program. @throws {SyntaxError} */
export function readJson<Value = unknown>(text: string): Value {
  if (isTooDeep(text)) throw new SyntaxError(`Nested deeper than ${MAX_JSON_DEPTH} levels`);
  return JSON.parse(text);
}

/** The value of a text whose depth is bounded by its caller. @throws {SyntaxError} For a text that is no JSON. */
export function readBoundedJson(text: string): unknown {
  return JSON.parse(text);
}

/** The value of a text from outside; null if the text is not JSON. */
export function parseJson(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that is an object; an empty object for any other. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The object that a text holds; an empty one for any other JSON. */
export function parseObject(text: string): JsonObject {
  return objectIn(readJson(text));
}

/** JSON text of a float; null where there is none, or no number. */
export function floatOrNullText(value: number | null): JsonText {
  return asJsonText(value === null || Number.isNaN(value) ? 'null' : floatText(value));
}

/** Deep equality of parsed JSON; the order of keys does not count. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]));
  if (!isJsonObject(a) || !isJsonObject(b)) return a === 0 && b === 0;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((n) => Object.hasOwn(b, n) && jsonEqual(a[n], b[n]));
}

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as this text of a number, string, boolean or null. Node 22 has it. */
    rawJSON(text: string): unknown;
  }
}

/** A measured value for `toJsonText`, which then writes it as a float: `4.0`, where the plain number would give `4`. */
export function float(value: number): unknown {
  return JSON.rawJSON(floatText(value));
}

/** The same for every number inside of a computed value; everything else stays as it is. */
export function floats(value: unknown): unknown {
  if (typeof value === 'number') return float(value);
  if (Array.isArray(value)) return value.map(floats);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, floats(member)]));
}

/** A float as the service spells it: shortest, with a point. See docs/interface.md#numbers. Millionths are faster. */
export function floatText(value: number): string {
  const size = Math.abs(value);
  const units = Math.round(size * MILLION);
  if (!(units < MOST_UNITS) || units / MILLION !== size) return textOf(value);
  const whole = Math.floor(units / MILLION);
  const part = units - whole * MILLION;
  const high = Math.floor(part / 1000);
  const low = part - high * 1000;
  digits ??= makeDigits();
  const { wide, trimmed } = digits;
  const fraction = low === 0 ? trimmed[high] : `${wide[high]}${trimmed[low]}`;
  return value < 0 ? `-${whole}.${fraction}` : `${whole}.${fraction}`;
}

function makeDigits(): Digits {
  const wide = Array.from({ length: 1000 }, (_, i) => String(1000 + i).slice(1));
  const trimmed = wide.map((text, i) => text.slice(0, i % 100 === 0 ? 1 : i % 10 === 0 ? 2 : 3));
  return { wide, trimmed };
}

function textOf(value: number): string {
  // JSON has no word for what lies beyond its numbers.
  if (!Number.isFinite(value)) return 'null';
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
}

/** True when a JSON text is nested too deep. It needs no recursion, and reads few characters of most rows. */
export function isTooDeep(text: string): boolean {
  return text.length > MAX_JSON_DEPTH && hasManyOpenings(text) && depthOf(text) > MAX_JSON_DEPTH;
}

/** A text with few openings cannot be deep. The engine finds a character many times faster than a loop does. */
function hasManyOpenings(text: string): boolean {
  let openings = 0;
  for (const opening of ['{', '['])
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
      openings += 1;
      if (openings > MAX_JSON_DEPTH) return true;
    }
  return false;
}

/** The deepest nesting, or one more than is read. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= MAX_JSON_DEPTH; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return deepest;
}

/** The closing quote of the string that begins here; the end of the text where there is none. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let slashes = 0;
    while (quote - 1 - slashes >= from && text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote;
    at = quote + 1;
  }
}
