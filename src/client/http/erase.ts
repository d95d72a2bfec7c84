import { scrubText, UNMISTAKABLE } from './scrub.ts';

/** Takes the key out of a text that a service sent. */
export type Erase = (text: string) => string;

/** Characters that JSON may write with a backslash before them. */
const ESCAPABLE = new Set(['"', '\\', '/']);

/**
 * Takes a key out of what a service sent, however JSON spells it: a service that echoes the key must not bring it into the
 * mirror or onto a screen. A key that may be a word of the data is left: data that are changed are worse.
 */
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
