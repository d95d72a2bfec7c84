import { createHash } from 'node:crypto';
import { MacroError } from '../../errors.ts';

/** Environment names of a key, in the order in which they are looked at. */
export const KEY_VARIABLES = ['MACRO_API_KEY', 'FXMACRODATA_API_KEY', 'FXMD_API_KEY'] as const;

const LONGEST_KEY = 256;

/** A secret that shows itself only when asked: printing, joining or serialising it gives `[redacted]`. */
export interface Redacted {
  reveal(): string;
  toString(): string;
  toJSON(): string;
}

export function redact(secret: string): Redacted {
  // The secret lives in the closure, so that an inspection of the object cannot find it.
  return { reveal: () => secret, toString: () => '[redacted]', toJSON: () => '[redacted]' };
}

/** A trimmed API key; an empty one is none. @throws MacroError of kind `auth` for an impossible one. */
export function readApiKey(raw: string | undefined): Redacted | undefined {
  const key = raw?.trim() ?? '';
  if (key === '') return undefined;
  const hint = 'Copy the key again, whole and without line breaks, and store it with: macro auth login';
  if (key.length > LONGEST_KEY)
    throw new MacroError('auth', `The API key has ${key.length} characters; a key has at most 256.`, {
      code: 'invalid_api_key',
      hint,
    });
  if (!/^[\x20-\x7e]+$/.test(key))
    throw new MacroError('auth', 'The API key has characters outside printable ASCII.', {
      code: 'invalid_api_key',
      hint,
    });
  return redact(key);
}

/** Tells keys apart without telling them: first 12 hex digits of the SHA-256. */
export function fingerprint(key: Redacted): string {
  return createHash('sha256').update(key.reveal(), 'utf8').digest('hex').slice(0, 12);
}
