// Made from the endpoints by npm run gen. Do not edit.
/** Public keys that settlement records are signed with: what is asked. */
export interface SettlementKeysQuery {
}

/** Public keys that settlement records are signed with: one row. */
export interface SettlementKeysRow {
  /** ed25519- and 16 hex digits of the SHA-256 of the raw key */ readonly key_id: string;
  /** Ed25519 */ readonly algorithm: string;
  /** the raw 32 bytes in standard base64 */ readonly public_key: string;
  readonly jwk?: { readonly kty: string; readonly crv: string; readonly x: string; readonly kid?: string; };
  /** active or retired */ readonly status: string;
  readonly valid_from?: string;
  readonly valid_until?: string | null;
}

/** Public keys that settlement records are signed with: the whole answer. */
export interface SettlementKeysBody {
  readonly count: number;
  readonly keys: readonly SettlementKeysRow[];
}
