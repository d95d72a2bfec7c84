import { hash } from 'node:crypto';
import { patchRow } from '../../contract/json/body.ts';
import { type JsonObject, type JsonText, toJsonText } from '../../contract/json/json.ts';
import type { Signing } from '../../contract/signing.ts';
import { canonicalBytes } from './jcs.ts';
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
