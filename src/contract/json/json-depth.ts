/** Deepest nesting of objects and arrays that is read; see docs/interface.md#safety-of-clients. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 34;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** True when a JSON text is nested too deep. It finds out without recursion, and looks at few characters of a usual row. */
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
