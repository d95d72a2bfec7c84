import { isJsonObject } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';

const MARK = '[redacted]';

/** A shorter key is a word: taking it out would only mangle messages. */
const SHORTEST_SECRET = 6;

/** A key of this length is never a part of another word, so it is taken out wherever it stands. */
const UNMISTAKABLE = 16;

/** Takes the key out of a text that a service sent. */
export type Erase = (text: string) => string;

/** Characters that JSON may write with a backslash before them. */
const ESCAPABLE = new Set(['"', '\\', '/']);

/** The part of a key that must never be shown; undefined when it is too short to be distinguished from a word. */
export function secretOf(key: string | undefined): string | undefined {
  return key !== undefined && key.length >= SHORTEST_SECRET ? key : undefined;
}

/** The text without the secret. A secret that could be a part of a word is removed only as a whole word. */
export function scrubText(text: string, secret: string): string {
  if (secret.length >= UNMISTAKABLE) return text.replaceAll(secret, MARK);
  const exact = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return text.replace(new RegExp(`(?<![A-Za-z0-9])${exact}(?![A-Za-z0-9])`, 'g'), MARK);
}

/** Takes a secret out of every string of a value, names of members included. */
export function scrub<T>(value: T, secret: string | undefined): T {
  return secret === undefined ? value : (clean(value, secret) as T); // the same shape with other texts
}

/** The same error without the secret: a service may echo the key that it refuses, anywhere in its answer. */
export function scrubError(error: unknown, secret: string | undefined): unknown {
  if (secret === undefined || !(error instanceof MacroError)) return error;
  const { kind, message, hint, code, status, retryAfter, findings, extra, cause } = error;
  return new MacroError(kind, scrub(message, secret), {
    findings: scrub(findings, secret),
    extra: scrub(extra, secret),
    ...(hint !== undefined && { hint: scrub(hint, secret) }),
    ...(code !== undefined && { code: scrub(code, secret) }),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(cause !== undefined && !mentions(cause, secret) && { cause }),
  });
}

function clean(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return scrubText(value, secret);
  if (Array.isArray(value)) return value.map((item) => clean(item, secret));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [scrubText(name, secret), clean(item, secret)]);
  return Object.fromEntries(entries);
}

function mentions(cause: unknown, secret: string): boolean {
  for (let at = cause; at !== undefined && at !== null; at = at instanceof Error ? at.cause : undefined)
    if (String(at).includes(secret)) return true;
  return false;
}

/** Removes an echoed key from received text, unless it may be a word of the data: changed data are worse. */
export function createErase(key: string | undefined): Erase {
  if (key === undefined || !isTellable(key)) return (text) => text;
  const spellings = [...new Set([key, encodeURIComponent(key)])];
  const escaped = new RegExp([...key].map(spellingsOf).join(''), 'g');
  return (text) => {
    const plain = text.includes('\\') ? text.replace(escaped, key) : text;
    return spellings.reduce((clean, spelled) => (clean.includes(spelled) ? scrubText(clean, spelled) : clean), plain);
  };
}

/** Long, or of letters and something besides that no word of the data has. */
function isTellable(key: string): boolean {
  return key.length >= UNMISTAKABLE || (/[A-Za-z]/.test(key) && /[^A-Za-z_]/.test(key));
}

function spellingsOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
  const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return `(?:${ESCAPABLE.has(character) ? `\\\\${plain}|` : ''}\\\\u${anyCase}|${plain})`;
}
