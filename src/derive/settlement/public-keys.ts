import { createPublicKey, type KeyObject } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, objectIn } from '../../contract/json/json.ts';
import { ALGORITHM, keyIdOf } from '../../contract/signing.ts';

/** A key that a record may be signed with, as it was published. */
export interface ListedKey {
  readonly id: string;
  readonly entry: JsonObject;
}

/** The raw key of an entry, or why it is none. */
export type ReadKey = { readonly key: KeyObject; readonly fault?: undefined } | { readonly fault: string };

/**
 * Keys out of what people have at hand: the answer of the keys route, its list alone, or one entry. Undefined when there
 * is none of it.
 */
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
export function readPublicKey({ id, entry }: ListedKey): ReadKey {
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
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function padded(url: string): string {
  const standard = url.replaceAll('-', '+').replaceAll('_', '/');
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=');
}
