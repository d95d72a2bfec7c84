import { verify } from 'node:crypto';
import { isJsonObject, type JsonObject, objectIn } from '../../contract/json/json.ts';
import { ALGORITHM } from '../../contract/signing.ts';
import { attestationDigest, attestedBytes, CANONICALIZATION } from './attestation.ts';
import { decodeBase64, type ListedKey, readPublicKey } from './public-keys.ts';
import { parseStrictly } from './strict-json.ts';

/** What there is to say of a record. See docs/interface.md#attestation. */
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
  /** The key that the signature holds under. */
  readonly key?: ListedKey;
}

type Said = Pick<Verdict, 'result' | 'reason' | 'detail'> & { readonly key?: ListedKey };

const invalid = (reason: VerifyReason, detail: string): Said => ({ result: 'invalid', reason, detail });
const unsigned = (reason: VerifyReason, detail: string): Said => ({ result: 'unsigned', reason, detail });

/**
 * Judges the text of a record against published keys. Walk: the text must be one unambiguous object; its canonical bytes
 * must have the digest that its attestation states; then the signature over the bytes themselves is tried with the key
 * that it names. The first check that fails is told. `signed_at` is not covered by anything.
 */
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

/** What a record states, whatever it is: an object of a stranger may have a member `toString` that is no function. */
function quoted(value: unknown): string {
  if (value === undefined) return 'that is missing';
  return `'${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)}'`;
}
