import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { patchRow } from '../../contract/json/body.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonText,
  objectIn,
  readJson,
  toJsonText,
} from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import { ALGORITHM, keyIdOf, type Signing } from '../../contract/signing.ts';
import { compare, decimalOf, parseDecimal } from '../decimal.ts';

/** The facts of a record. See docs/interface-events.md#attestation. */
export type VerifyResult = 'valid' | 'invalid' | 'unsigned' | 'unknown_key';

/** Which check decided. */
type VerifyReason =
  | 'signature_holds'
  | 'not_a_record'
  | 'ambiguous'
  | 'no_attestation'
  | 'no_signature'
  | 'malformed_attestation'
  | 'unknown_canonicalization'
  | 'altered'
  | 'wrong_algorithm'
  | 'malformed_signature'
  | 'key_not_known'
  | 'malformed_key'
  | 'wrong_signature';

export interface Verdict {
  readonly result: VerifyResult;
  readonly reason: VerifyReason;
  /** One sentence for a person. */
  readonly detail: string;
  /** The record as far as it could be read. */
  readonly record: JsonObject;
  readonly attestation: JsonObject;
  /** Hex digest of the canonical bytes, as computed here. */
  readonly sha256?: string;
  /** The key that verifies the signature. */
  readonly key?: ListedKey;
}

type Said = Pick<Verdict, 'result' | 'reason' | 'detail'> & { readonly key?: ListedKey };

const CANONICALIZATION = 'RFC8785';

/** A key that a record may be signed with, as it was published. */
export interface ListedKey {
  readonly id: string;
  readonly entry: JsonObject;
}

/** The raw key of an entry, or why it is none. */
type ReadKey = { readonly key: KeyObject; readonly fault?: undefined } | { readonly fault: string };

const invalid = (reason: VerifyReason, detail: string): Said => ({ result: 'invalid', reason, detail });

const unsigned = (reason: VerifyReason, detail: string): Said => ({ result: 'unsigned', reason, detail });

/** Judges a record: one object, then its canonical digest, then its signature, which does not cover `signed_at`. */
export function verifyRecord(text: string, keys: readonly ListedKey[]): Verdict {
  let record: JsonObject = {};
  try {
    record = parseStrictly(text);
    const bytes = attestedBytes(record);
    const attestation = objectIn(record.attestation);
    return { ...judge(record, bytes, keys), record, attestation, sha256: attestationDigest(bytes) };
  } catch (error) {
    if (error instanceof RangeError)
      return { ...invalid('ambiguous', `${error.message}, so that nobody can vouch for it.`), record, attestation: {} };
    if (!(error instanceof SyntaxError)) throw error;
    return { ...invalid('not_a_record', 'This is not one JSON object.'), record, attestation: {} };
  }
}

function judge(record: JsonObject, bytes: Uint8Array, keys: readonly ListedKey[]): Said {
  const { attestation } = record;
  if (attestation === undefined || attestation === null)
    return unsigned('no_attestation', 'The record has no attestation: nobody vouches for it.');
  if (!isJsonObject(attestation)) return invalid('malformed_attestation', 'The attestation is not an object.');
  const { canonicalization, sha256, algorithm, key_id: id, signature } = attestation;
  if (canonicalization !== CANONICALIZATION)
    return invalid(
      'unknown_canonicalization',
      `The canonicalization ${quoted(canonicalization)} is not known; ${CANONICALIZATION} is.`,
    );
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    return invalid('malformed_attestation', 'The sha256 of the attestation is not 64 hex digits in lower case.');
  const digest = attestationDigest(bytes);
  if (sha256 !== digest)
    return invalid(
      'altered',
      `The record was altered: its canonical bytes have the digest ${digest}, the attestation states ${sha256}.`,
    );
  const named = [algorithm, id, signature].filter((member) => member !== undefined && member !== null);
  if (named.length === 0)
    return unsigned('no_signature', 'The digest holds, but anybody could have made it: there is no signature.');
  if (algorithm !== ALGORITHM)
    return invalid('wrong_algorithm', `The algorithm ${quoted(algorithm)} is not known; ${ALGORITHM} is.`);
  if (typeof id !== 'string' || id === '') return invalid('malformed_attestation', 'The attestation names no key.');
  const signed = typeof signature === 'string' ? decodeBase64(signature) : undefined;
  if (signed?.length !== 64)
    return invalid('malformed_signature', 'The signature is not 64 bytes in padded standard base64.');
  return judgeSignature(id, { bytes, signature: signed }, keys);
}

function judgeSignature(
  id: string,
  signed: { readonly bytes: Uint8Array; readonly signature: Uint8Array },
  keys: readonly ListedKey[],
): Said {
  const named = keys.filter((key) => key.id === id);
  if (named.length === 0) {
    const known = keys.length === 0 ? 'none is known' : `known: ${keys.map((key) => key.id).join(', ')}`;
    return {
      result: 'unknown_key',
      reason: 'key_not_known',
      detail: `The record is signed with ${quoted(id)}, which is not among the keys (${known}).`,
    };
  }
  let fault: string | undefined;
  for (const key of named) {
    const read = readPublicKey(key);
    if (read.fault !== undefined) fault = read.fault;
    else if (verify(null, signed.bytes, read.key, signed.signature))
      return {
        result: 'valid',
        reason: 'signature_holds',
        detail: `The signature of ${id} holds${key.entry.status === 'retired' ? ', a key that is retired' : ''}.`,
        key,
      };
  }
  if (fault !== undefined) return invalid('malformed_key', `The published key ${quoted(id)} ${fault}.`);
  return invalid('wrong_signature', `The digest holds, but the signature was not made by ${id}.`);
}

/** Any stated value as text: in a stranger's record, `toString` may be a member that is no function. */
function quoted(value: unknown): string {
  if (value === undefined) return 'that is missing';
  return `'${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)}'`;
}

/** The bytes of a record that its attestation speaks of: everything but the attestation itself. */
export function attestedBytes({ attestation: _, ...record }: JsonObject): Uint8Array {
  return canonicalBytes(record);
}

function attestationDigest(bytes: Uint8Array): string {
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

/** RFC 8785 (JCS): the one spelling of a JSON value. Throws a RangeError for a value without one. */
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
  if (/\p{Surrogate}/u.test(value)) throw new RangeError('A string contains half of a character');
  return JSON.stringify(value);
}

/** Parses a vouched object and refuses repeated members and inexact numbers. Throws a SyntaxError or RangeError. */
function parseStrictly(text: string): JsonObject {
  const value: Json = readJson(text);
  if (!isJsonObject(value)) throw new SyntaxError('Expected an object');
  refuseAmbiguous(text);
  return value;
}

function refuseAmbiguous(text: string): void {
  const first = text.trimStart()[0] ?? '';
  if (first === '{' || first === '[') refuseInside(text, first === '{');
  else if (/[-\d]/.test(first)) refuseLongNumber(text.trim());
}

function refuseInside(text: string, named: boolean): void {
  const seen = new Set<string>();
  for (const { name, start, end } of memberSpans(text)) {
    if (named && seen.has(name)) throw new RangeError(`The member ${JSON.stringify(name)} stands there twice`);
    seen.add(name);
    refuseAmbiguous(text.slice(start, end));
  }
}

function refuseLongNumber(spelling: string): void {
  if (!isKeptByReaders(spelling))
    throw new RangeError(`The number ${spelling.slice(0, 40)} has more digits than JSON readers keep`);
}

/** True for the spelling of a number that every JSON reader keeps digit by digit: no integer beyond 2^53, no long fraction. */
export function isKeptByReaders(spelling: string): boolean {
  const value = decimalOf(Number(spelling));
  // An exponent of a few hundred already leaves the range of a double; a longer one would only cost time.
  const exact = spelling.length <= 330 && !/e[+-]?\d{4}/i.test(spelling) ? parseDecimal(spelling) : undefined;
  const kept = value !== undefined && exact !== undefined && compare(value, exact) === 0;
  return kept && (!/^-?\d+$/.test(spelling) || Number.isSafeInteger(Number(spelling)));
}

/** Keys of a keys answer, its list or one entry; undefined when there is none. */
export function listedKeys(value: Json): readonly ListedKey[] | undefined {
  const list = Array.isArray(value) ? value : isJsonObject(value) ? (value.keys ?? value.data ?? [value]) : undefined;
  if (!Array.isArray(list)) return undefined;
  const keys = list.flatMap((entry: Json) => {
    const id = isJsonObject(entry)
      ? (entry.key_id ?? (isJsonObject(entry.jwk) ? entry.jwk.kid : entry.kid))
      : undefined;
    return isJsonObject(entry) && typeof id === 'string' ? [{ id, entry }] : [];
  });
  return keys.length === list.length ? keys : undefined;
}

/** Reads a listed key. An entry that contradicts itself is no key: its name, its raw form and its JWK must be one. */
function readPublicKey({ id, entry }: ListedKey): ReadKey {
  const { algorithm = ALGORITHM, public_key: publicKey, jwk = entry.kty === undefined ? undefined : entry } = entry;
  if (algorithm !== ALGORITHM) return { fault: `is for ${String(algorithm)}, not for ${ALGORITHM}` };
  const form = objectIn(jwk);
  const isForeign = isJsonObject(jwk) && (form.kty !== 'OKP' || form.crv !== ALGORITHM);
  if (isForeign) return { fault: 'is no Ed25519 key' };
  const forms = [publicKey, typeof form.x === 'string' ? padded(form.x) : undefined].filter((one) => one !== undefined);
  const raws = forms.map((one) => (typeof one === 'string' ? decodeBase64(one) : undefined));
  const [raw] = raws;
  if (!raw || raws.some((one) => one?.length !== 32)) return { fault: 'is no 32 bytes in base64' };
  if (raws.some((one) => !one || !raw.equals(one))) return { fault: 'differs from its JWK' };
  // Services are free to name keys; a name of this form is a fingerprint and must hold.
  if (/^ed25519-[0-9a-f]{16}$/.test(id) && keyIdOf(raw) !== id) return { fault: 'does not match its name' };
  return { key: publicKeyOf(raw) };
}

function publicKeyOf(raw: Buffer): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: ALGORITHM, x: raw.toString('base64url') } });
}

/** Standard base64 with padding, each value spelled in its one way; undefined for anything else. */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function padded(url: string): string {
  const standard = url.replaceAll('-', '+').replaceAll('_', '/');
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=');
}
