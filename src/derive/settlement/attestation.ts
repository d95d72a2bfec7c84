import { hash } from 'node:crypto';
import { patchRow } from '../../contract/json/body.ts';
import { isJsonObject, type Json, type JsonObject, type JsonText, toJsonText } from '../../contract/json/json.ts';
import type { Signing } from '../../contract/signing.ts';
import { parseStrictly } from './strict-json.ts';

export const CANONICALIZATION = 'RFC8785';

/** The bytes of a record that its attestation speaks of: everything but the attestation itself. */
export function attestedBytes({ attestation: _, ...record }: JsonObject): Uint8Array {
  return canonicalBytes(record);
}

export function attestationDigest(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** The record with its digest and, where there are keys, their signature. The signature covers the bytes, not the digest. */
export function attest(text: JsonText, signing: Signing | undefined, now: number): JsonText {
  const bytes = attestedBytes(parseStrictly(text));
  const attestation = {
    canonicalization: CANONICALIZATION,
    sha256: attestationDigest(bytes),
    ...signing?.sign(bytes, now),
  };
  return patchRow(text, { attestation: toJsonText(attestation) });
}

/**
 * RFC 8785 (JCS): the one spelling of a JSON value. No blanks, members sorted by the UTF-16 units of their names, numbers
 * as ECMAScript writes them, strings with the fewest escapes. Throws a RangeError for what has no such spelling.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return stringText(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return String(value);
  // The comparison of strings in this language is by UTF-16 units, which the standard asks for.
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${stringText(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** The bytes that are hashed and signed. */
export function canonicalBytes(value: Json): Uint8Array {
  return new TextEncoder().encode(canonicalJson(value));
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('A number is too large');
  return JSON.stringify(value); // minus zero becomes 0
}

function stringText(value: string): string {
  if (/\p{Surrogate}/u.test(value)) throw new RangeError('A string holds half of a character');
  return JSON.stringify(value);
}
