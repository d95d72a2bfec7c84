import { hash } from 'node:crypto';

export const ALGORITHM = 'Ed25519';

/** Name of a raw public key. See docs/interface-events.md#settlement. */
export function keyIdOf(raw: Uint8Array): string {
  return `ed25519-${hash('sha256', raw, 'hex').slice(0, 16)}`;
}

/** Who vouches for bytes: the members of an attestation that a key adds. */
export interface Signature {
  readonly algorithm: string;
  readonly key_id: string;
  /** Standard base64, padded. */
  readonly signature: string;
  /** ISO instant; not part of the signed text. */
  readonly signed_at: string;
}

export interface PublishedKey {
  readonly key_id: string;
  readonly algorithm: string;
  /** The raw key in standard base64. */
  readonly public_key: string;
  readonly jwk: { readonly kty: string; readonly crv: string; readonly x: string; readonly kid: string };
  readonly status: 'active' | 'retired';
  readonly valid_from: string;
  readonly valid_until?: string;
}

/** Reads the keys of whoever answers, as they are now. `now` is in Unix seconds. */
export type OpenSigning = (now: number) => Promise<Signing>;

/** The keys of whoever answers. Hooks are pure, so what they need of the outside world is handed in; `now` is in Unix seconds. */
export interface Signing {
  sign(bytes: Uint8Array, now: number): Signature;
  /** Retired keys stay listed, because what they signed stays. */
  keys(now: number): readonly PublishedKey[];
}
